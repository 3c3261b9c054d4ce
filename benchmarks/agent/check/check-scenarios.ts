import { kinds } from "../types.ts";
import type { Scenario } from "../types.ts";
import { callProblems } from "./calls.ts";
import { expressionProblems } from "./expressions.ts";

const LEAST = 40;

/** An oracle says what is true; what changes GitHub has to say how it is to be then. */
function oracleProblems({ oracle, answer, writes, kind }: Scenario): string[] {
  const { state, equals, compiler } = oracle;
  return [
    ...((state === undefined) === (compiler === undefined)
      ? ["the oracle is either state or compiler"]
      : []),
    ...(equals === undefined && answer === undefined
      ? ["nothing is compared with the oracle"]
      : []),
    ...((writes !== undefined) === (equals !== undefined)
      ? []
      : ["writes and oracle.equals belong together"]),
    ...(kind === "write" && writes === undefined ? ["a write has writes"] : []),
  ];
}

/** A write whose answer is lost has to be looked for. */
function faultProblems({ writes, fault, gh, graphql, github_mcp: tools }: Scenario): string[] {
  if (writes === undefined) return [];
  const modes = { gh, graphql, github_mcp: tools };
  const without = Object.entries(modes).filter(
    ([, each]) => typeof each !== "string" && each.check === undefined,
  );
  return [
    ...(fault === undefined ? ["a write has a fault"] : []),
    ...without.map(([name]) => `${name} has no check`),
  ];
}

function kindProblems({ kind, steps, grep, gh }: Scenario): string[] {
  const isCode = kind === "code";
  return [
    ...((kind === "chain") === steps.length > 1 ? [] : ["a chain, and only it, has several steps"]),
    ...(isCode === (typeof grep !== "string") ? [] : ["grep is for questions about code"]),
    ...(isCode === (typeof gh === "string") ? [] : ["gh is for everything else"]),
  ];
}

/** What is wrong with one scenario, without playing it. */
export function scenarioProblems(scenario: Scenario): string[] {
  return [
    ...kindProblems(scenario),
    ...oracleProblems(scenario),
    ...faultProblems(scenario),
    ...expressionProblems(scenario),
    ...callProblems(scenario),
  ].map((problem) => `${scenario.id}: ${problem}`);
}

/** What is wrong with all of them together. */
export function collectionProblems(scenarios: readonly Scenario[]): string[] {
  const missing = kinds.filter((kind) => !scenarios.some((each) => each.kind === kind));
  return [
    ...(scenarios.length < LEAST ? [`${scenarios.length} scenarios, at least ${LEAST}`] : []),
    ...missing.map((kind) => `there is no ${kind}`),
  ];
}
