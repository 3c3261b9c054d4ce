import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readScenarios } from "../scenario/read.ts";
import { readStamp, recordedPlays } from "./recorded.ts";
import { writeTrajectories } from "./trajectories.ts";

const scenarios = readScenarios();

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("all recorded plays are read back with unchanged tokens", () => {
  const plays = recordedPlays(scenarios);
  const folder = scratch();
  writeTrajectories(plays, "today · commit abc1234", { folder });
  expect(recordedPlays(scenarios, folder)).toEqual(plays);
  expect(readStamp(folder)).toBe("today · commit abc1234");
  expect(plays.played).toHaveLength(plays.trajectories.length);
});

it("the price of help pages is shared between plays, but the price of calls is not", () => {
  const { played } = recordedPlays(scenarios);
  const one = (mode: string): (typeof played)[number] | undefined =>
    played.find((play) => play.mode === mode && play.scenario === "issue-close");
  const [help, known] = [one("gh-help"), one("gh-known")];
  expect(help?.tokens.total).toBeLessThan(help?.tokens.anew ?? 0);
  expect(known?.tokens.total).toBe(known?.tokens.anew);
});

it("the errors about recorded plays name an invalid trajectory file and a missing scenario", () => {
  const folder = scratch();
  writeTrajectories(recordedPlays(scenarios), "today", { folder });
  const without = scenarios.filter(({ id }) => id !== "issue-view");
  expect(() => recordedPlays(without, folder)).toThrow(/no scenario issue-view; play again/);
  writeFileSync(join(folder, "gh-help.json"), '{"mode":"gh-help"}');
  expect(() => recordedPlays(scenarios, folder)).toThrow(/gh-help\.json: [\s\S]*plays/);
});
