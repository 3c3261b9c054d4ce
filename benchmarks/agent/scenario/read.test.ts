import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SCENARIOS, readScenario, readScenarios } from "./read.ts";

const SAMPLE = join(SCENARIOS, "issue-view.yaml");

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-scenario-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("the agent benchmark reads every scenario in the order of names", () => {
  const ids = readScenarios().map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(40);
  expect(ids).toEqual(ids.toSorted());
});

it("the error for an invalid value in a scenario names the file and the place", () => {
  const file = join(scratch(), "issue-view.yaml");
  writeFileSync(file, readFileSync(SAMPLE, "utf8").replace("kind: read", "kind: raed"));
  expect(() => readScenario(file)).toThrow(/issue-view\.yaml[\s\S]*kind/);
});

it("the id of a scenario must match its file name", () => {
  const file = join(scratch(), "other.yaml");
  copyFileSync(SAMPLE, file);
  expect(() => readScenario(file)).toThrow("its id must be other");
});
