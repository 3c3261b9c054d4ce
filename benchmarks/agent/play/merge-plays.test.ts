import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readScenarios } from "../scenario/read.ts";
import { modes } from "../types.ts";
import { mergePlays } from "./merge-plays.ts";
import { readStamp, recordedPlays } from "./recorded.ts";
import { writeTrajectories } from "./trajectories.ts";

const scenarios = readScenarios();
const recorded = recordedPlays(scenarios);

function isAgain({ scenario, mode }: { scenario: string; mode: string }): boolean {
  return scenario === "issue-view" && mode === "mcp-lean";
}

it("a partial benchmark run replaces only the recorded plays of the scenarios that were played", () => {
  const again = {
    played: recorded.played.filter(isAgain).map((play) => ({ ...play, applied: 7 })),
    trajectories: recorded.trajectories.filter(isAgain),
    absent: [],
  };
  const merged = mergePlays(recorded, again, scenarios);
  expect(merged.played).toHaveLength(recorded.played.length);
  expect(merged.played.filter(({ applied }) => applied === 7).every(isAgain)).toBe(true);
  expect(merged.played.filter(isAgain)).toHaveLength(again.played.length);
});

it("a partial benchmark run keeps the order of scenarios that cannot be played", () => {
  const ofGrep = recorded.absent.filter(({ mode }) => mode === "grep");
  const tried = ofGrep.filter(({ scenario }) => scenario === ofGrep[0]?.scenario);
  const again = { played: [], trajectories: [], absent: tried };
  const merged = mergePlays({ ...recorded, absent: ofGrep }, again, scenarios);
  expect(merged.absent).toEqual(ofGrep);
});

it("the stamp of a partial benchmark run is written beside the stamp of the last complete run", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-stamps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeTrajectories(recorded, "first", { folder });
  expect(readStamp(folder)).toBe("first");
  for (const stamp of ["second", "third"]) {
    writeTrajectories(recorded, stamp, { folder, modes: ["grep"], isPart: true });
  }
  const others = modes.filter((mode) => mode !== "grep").join(", ");
  expect(readStamp(folder)).toBe(`${others}: first; grep: third; the others first`);
  expect(readFileSync(join(folder, "grep.json"), "utf8")).toContain('"mode": "grep"');
});
