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
      ? ["the oracle needs either state or compiler, not both"]
      : []),
    ...(equals === undefined && answer === undefined
      ? ["nothing is compared with the oracle; add answer, or oracle.equals for a write"]
      : []),
    ...(writes > 0 === (equals !== undefined)
      ? []
      : ["writes and oracle.equals need each other; add the missing one"]),
    ...(kind === "write" && writes === 0 ? ["a scenario of kind write needs writes"] : []),
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
      ...(each.check === undefined
        ? [`${name} needs check, which looks whether a lost write was applied`]
        : []),
      ...(each.seen === undefined ? [`${name} needs seen, which finds the write in check`] : []),
    ];
  });
}

/** Checks that each mutation has its own limit. */
function mutationProblems({ writes = 0, mutations = {}, harmless = [] }: Scenario): string[] {
  const strangers = harmless.filter((name) => !(name in mutations));
  return [
    ...(writes > 0 === Object.keys(mutations).length > 0
      ? []
      : ["writes and mutations need each other; add the missing one"]),
    ...strangers.map((name) => `${name} is in harmless, but not in mutations`),
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
      : ["mistake and guess need each other; add the missing one"]),
    ...(isRight ? ["the hunch is already the right call; leave it out"] : []),
  ];
}

function kindProblems({ kind, steps, program, grep, gh }: Scenario): string[] {
  const isCode = kind === "code";
  return [
    ...(kind === "bulk" && program === undefined ? ["a scenario of kind bulk needs program"] : []),
    ...(kind === "error" || kind === "bulk" || (kind === "chain") === steps.length > 1
      ? []
      : ["several steps need the kind chain, error or bulk; a chain needs several steps"]),
    ...(isCode === (typeof grep !== "string") ? [] : ["only questions about code have grep"]),
    ...(isCode === (typeof gh === "string") ? [] : ["only questions about code have no gh"]),
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
    ...(scenarios.length < LEAST
      ? [`there are only ${scenarios.length} scenarios; at least ${LEAST} are needed`]
      : []),
    ...missing.map((kind) => `there is no scenario of kind ${kind}`),
  ];
}
