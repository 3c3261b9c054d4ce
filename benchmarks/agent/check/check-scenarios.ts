import { isDeepStrictEqual } from "node:util";
import { kinds } from "../types.ts";
import type { Scenario, Step } from "../types.ts";
import { callProblems } from "./calls.ts";
import { expressionProblems } from "./expressions.ts";

const LEAST = 40;

/** Checks the oracle. A scenario that changes GitHub must define the expected state. */
function oracleProblems({ oracle, answer, writes = 0, kind }: Scenario): string[] {
  const { state, equals, compiler } = oracle;
  return [
    ...((state === undefined) === (compiler === undefined)
      ? ["the oracle is either state or compiler"]
      : []),
    ...(equals === undefined && answer === undefined
      ? ["nothing is compared with the oracle"]
      : []),
    ...(writes > 0 === (equals !== undefined) ? [] : ["writes and oracle.equals belong together"]),
    ...(kind === "write" && writes === 0 ? ["a write has writes"] : []),
  ];
}

/**
 * Checks that each write has a way to find out whether it was applied, in case its response is
 * lost.
 */
function checkProblems({ kind, writes, gh, graphql, github_mcp: tools }: Scenario): string[] {
  if (writes === undefined || kind === "bulk") return [];
  const modes = Object.entries({ gh, graphql, github_mcp: tools });
  return modes.flatMap(([name, each]) => {
    if (typeof each === "string") return [];
    return [
      ...(each.check === undefined ? [`${name} has no check`] : []),
      ...(each.seen === undefined ? [`${name} does not say what is seen by it`] : []),
    ];
  });
}

/** Checks that each mutation has its own limit. */
function mutationProblems({ writes = 0, mutations = {}, harmless = [] }: Scenario): string[] {
  const strangers = harmless.filter((name) => !(name in mutations));
  return [
    ...(writes > 0 === Object.keys(mutations).length > 0
      ? []
      : ["writes and mutations belong together"]),
    ...strangers.map((name) => `${name} is harmless and not among the mutations`),
  ];
}

function isSameCall(a: Step, b: Step): boolean {
  return a.capability === b.capability && isDeepStrictEqual(a.params, b.params);
}

/**
 * Checks that every mode describes the same mistake, and that the first attempt does not solve the
 * task.
 */
function guessProblems({ mistake, guess, hunch, steps }: Scenario): string[] {
  const isRight = hunch !== undefined && steps.some((step) => isSameCall(step, hunch));
  return [
    ...((mistake === undefined) === (guess === undefined)
      ? []
      : ["mistake and guess belong together"]),
    ...(isRight ? ["the hunch is the call itself"] : []),
  ];
}

function kindProblems({ kind, steps, program, grep, gh }: Scenario): string[] {
  const isCode = kind === "code";
  return [
    ...(kind === "bulk" && program === undefined ? ["a bulk task has a program"] : []),
    ...(kind === "error" || kind === "bulk" || (kind === "chain") === steps.length > 1
      ? []
      : ["several steps are a chain, or the way out of an error"]),
    ...(isCode === (typeof grep !== "string") ? [] : ["grep is for questions about code"]),
    ...(isCode === (typeof gh === "string") ? [] : ["gh is for everything else"]),
  ];
}

/** Lists the mistakes in one scenario, without playing it. */
export function scenarioProblems(scenario: Scenario): string[] {
  return [
    ...kindProblems(scenario),
    ...oracleProblems(scenario),
    ...checkProblems(scenario),
    ...mutationProblems(scenario),
    ...guessProblems(scenario),
    ...expressionProblems(scenario),
    ...callProblems(scenario),
  ].map((problem) => `${scenario.id}: ${problem}`);
}

/** Lists the mistakes that show only when all scenarios are compared. */
export function collectionProblems(scenarios: readonly Scenario[]): string[] {
  const missing = kinds.filter((kind) => !scenarios.some((each) => each.kind === kind));
  return [
    ...(scenarios.length < LEAST ? [`${scenarios.length} scenarios, at least ${LEAST}`] : []),
    ...missing.map((kind) => `there is no ${kind}`),
  ];
}
