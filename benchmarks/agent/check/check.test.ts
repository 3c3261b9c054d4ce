import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { TRAJECTORIES } from "../play/trajectories.ts";
import { readScenarios } from "../scenario/read.ts";
import { modes } from "../types.ts";
import type { Scenario } from "../types.ts";
import { collectionProblems, scenarioProblems } from "./check-scenarios.ts";
import { trajectoryProblems } from "./check-trajectories.ts";

const scenarios = readScenarios();

function scenario(id: string): Scenario {
  const found = scenarios.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no scenario ${id}`);
  return found;
}

it("finds nothing wrong with the scenarios as they are", () => {
  expect([...collectionProblems(scenarios), ...scenarios.flatMap(scenarioProblems)]).toEqual([]);
});

const read = scenario("issue-view");
const write = scenario("issue-create");
const graphql = { run: ["{repository(owner:"] };
const use = { tool: "no_tool", args: {}, rest: "GET /user", shape: "none" };

it.each<[string, Scenario, RegExp]>([
  ["no capability", { ...read, steps: [{ capability: "issue.veiw", params: {} }] }, /issue\.veiw/],
  ["no expression", { ...read, answer: "[0" }, /\[0/],
  ["no document", { ...read, graphql }, /Syntax Error/],
  ["no tool", { ...read, github_mcp: { run: [use] } }, /no_tool/],
  ["no shape", { ...read, github_mcp: { run: [use] } }, /no shape none/],
  ["no oracle", { ...read, oracle: {} }, /either state or compiler/],
  [
    "a write that does not say what is to be",
    { ...write, oracle: { state: "hello" } },
    /belong together/,
  ],
  ["a write that is not counted", { ...write, mutations: undefined }, /writes and mutations/],
  ["a repeat of what is not written", { ...write, harmless: ["addComment"] }, /addComment/],
  ["a check that shows nothing", { ...write, graphql: { run: ["{viewer{login}}"] } }, /is seen/],
  ["a guess without its mistake", { ...write, mistake: undefined }, /mistake and guess/],
  ["two steps that are no chain", { ...read, steps: [...read.steps, ...read.steps] }, /a chain/],
])("tells %s", (_, wrong, problem) => {
  expect(scenarioProblems(wrong).join("\n")).toMatch(problem);
});

it("wants every kind, and enough of them", () => {
  expect(collectionProblems([read])).toContain("there is no code");
  expect(collectionProblems([read])).toContain("1 scenarios, at least 40");
});

function copyTrajectories(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-trajectories-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const mode of modes) {
    copyFileSync(join(TRAJECTORIES, `${mode}.json`), join(folder, `${mode}.json`));
  }
  return folder;
}

it("finds the recorded trajectories whole and rightly counted", () => {
  expect(trajectoryProblems(scenarios)).toEqual([]);
});

it("tells a text that was changed, a play that is missing and a file that is not there", () => {
  const folder = copyTrajectories();
  const file = join(folder, "gh-known.json");
  const text = readFileSync(file, "utf8").replace('"tokens":17', '"tokens":18');
  writeFileSync(file, text.replace('"scenario":"issue-view"', '"scenario":"issue-gone"'));
  rmSync(join(folder, "grep.json"));
  const problems = trajectoryProblems(scenarios, folder).join("\n");
  expect(problems).toMatch(/gh-known\.json: t\d+ is counted wrongly/);
  expect(problems).toContain("issue-view was not played");
  expect(problems).toContain("there is no scenario issue-gone");
  expect(problems).toContain("grep.json: it is not there");
});
