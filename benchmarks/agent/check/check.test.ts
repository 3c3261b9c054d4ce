import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { STAMP, TRAJECTORIES } from "../play/trajectories.ts";
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

it("the check of the agent benchmark finds no problem in its scenarios", () => {
  expect([...collectionProblems(scenarios), ...scenarios.flatMap(scenarioProblems)]).toEqual([]);
});

const read = scenario("issue-view");
const write = scenario("issue-create");
const graphql = { run: ["{repository(owner:"] };
const gh = { run: ["echo $(gh api user)"] };
const use = { tool: "no_tool", args: {}, rest: "GET /user", shape: "none" };

it.each<[string, Scenario, RegExp]>([
  [
    "an unknown capability",
    { ...read, steps: [{ capability: "issue.veiw", params: {} }] },
    /issue\.veiw/,
  ],
  ["an invalid expression", { ...read, answer: "[0" }, /\[0/],
  ["an invalid document", { ...read, graphql }, /Syntax Error/],
  ["a gh command without a known help page", { ...read, gh }, /no help of gh/],
  ["an unknown tool", { ...read, github_mcp: { run: [use] } }, /no_tool/],
  ["an unknown shape", { ...read, github_mcp: { run: [use] } }, /no shape none/],
  ["no oracle", { ...read, oracle: {} }, /either state or compiler/],
  [
    "a write without an expected state",
    { ...write, oracle: { state: "hello" } },
    /writes and oracle\.equals/,
  ],
  ["a write that is not counted", { ...write, mutations: undefined }, /writes and mutations/],
  [
    "an allowed repeat of a write that the scenario does not make",
    { ...write, harmless: ["addComment"] },
    /addComment/,
  ],
  [
    "a document that does not read the written value back",
    { ...write, graphql: { run: ["{viewer{login}}"] } },
    /graphql needs seen/,
  ],
  [
    "a wrong first guess whose mistake is not named",
    { ...write, mistake: undefined },
    /mistake and guess/,
  ],
  [
    "a first guess that is already the right call",
    { ...write, hunch: write.steps[0] },
    /already the right call/,
  ],
  ["two steps without a chain", { ...read, steps: [...read.steps, ...read.steps] }, /kind chain/],
])("the check of the agent benchmark reports a scenario with %s", (_, wrong, problem) => {
  expect(scenarioProblems(wrong).join("\n")).toMatch(problem);
});

it("the check of the agent benchmark reports missing kinds of scenarios and too few scenarios", () => {
  expect(collectionProblems([read])).toContain("there is no scenario of kind code");
  expect(collectionProblems([read])).toContain(
    "there are only 1 scenarios; at least 40 are needed",
  );
});

function copyTrajectories(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-trajectories-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [...modes.map((mode) => `${mode}.json`), STAMP]) {
    const from = join(TRAJECTORIES, name);
    if (existsSync(from)) copyFileSync(from, join(folder, name));
  }
  return folder;
}

it("the check of the agent benchmark finds no problem in the recorded trajectories", () => {
  expect(trajectoryProblems(scenarios)).toEqual([]);
});

it("the check of the agent benchmark reports recorded trajectories with a changed text, a missing play or a missing file", () => {
  const folder = copyTrajectories();
  const file = join(folder, "gh-known.json");
  const text = readFileSync(file, "utf8").replace('"tokens":17', '"tokens":18');
  writeFileSync(file, text.replace('"scenario":"issue-view"', '"scenario":"issue-gone"'));
  rmSync(join(folder, "grep.json"));
  rmSync(join(folder, STAMP));
  const problems = trajectoryProblems(scenarios, folder).join("\n");
  expect(problems).toMatch(/gh-known\.json: the token count of t\d+ is wrong/);
  expect(problems).toContain("issue-view was not played");
  expect(problems).toContain("there is no scenario issue-gone");
  expect(problems).toContain("grep.json: the file is missing");
  expect(problems).toContain("stamp.json: the file is missing");
});

/** Returns the problems that a change to the scenarios adds. */
function newProblems(change: (each: Scenario) => Scenario): string[] {
  const before = new Set(trajectoryProblems(scenarios));
  return trajectoryProblems(scenarios.map(change)).filter((problem) => !before.has(problem));
}

const steps = [{ capability: "issue.view", params: { repo: "octo/hello", number: 2 } }];
const other = { run: ['{repository(owner:"octo",name:"hello"){issue(number:2){title}}}'] };
const tool = { tool: "issue_read", args: {}, rest: "GET /user", shape: "raw" };

it.each<[string, Partial<Scenario>, string[]]>([
  ["steps", { steps }, ["mcp-lean", "mcp-indexed", "command-lean", "command-indexed"]],
  ["lines", { gh: { run: ["gh issue view 2"] } }, ["gh-help", "gh-known", "gh-axi"]],
  ["documents", { graphql: other }, ["graphql", "graphql-fields"]],
  ["tools", { github_mcp: { run: [tool] } }, ["github-mcp"]],
])(
  "the check of the agent benchmark reports recorded plays as stale after the %s of a scenario change",
  (_, change, changed) => {
    const problems = newProblems((each) => (each === read ? { ...each, ...change } : each));
    const told = problems.map(
      (problem) => /trajectories\/([\w-]+)\.json: issue-view/.exec(problem)?.[1],
    );
    // The estimate for deferred tools uses the calls of the server with all tools.
    const modesTold = new Set(told.map((mode) => mode?.replace("-deferred", "")));
    expect([...modesTold]).toEqual(changed);
  },
);

it("the check of the agent benchmark reports recorded plays as stale after a changed guess or an added request", () => {
  const guess = { capability: "issue.view", params: { id: 1 } };
  const chain = scenario("chain-triage");
  const problems = newProblems((each) =>
    each === read
      ? { ...each, guess }
      : each === chain && typeof each.gh !== "string"
        ? { ...each, gh: { ...each.gh, run: [...each.gh.run, "gh issue view 3 -R octo/hello"] } }
        : each,
  ).join("\n");
  expect(problems).toContain("mcp-lean.json: issue-view (guess) was played before it was changed");
  expect(problems).toContain("gh-known.json: chain-triage (plain) was played before");
  expect(problems).not.toContain("graphql.json");
});
