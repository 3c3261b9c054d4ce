import { compile } from "@jmespath-community/jmespath";
import type { Scenario } from "../types.ts";

function expressionsIn(scenario: Scenario): (string | undefined)[] {
  const { gh, graphql, github_mcp, grep } = scenario;
  const others = [gh, graphql, github_mcp, grep].flatMap((each) =>
    typeof each === "string" ? [] : [each.answer, each.seen],
  );
  return [
    scenario.answer,
    scenario.program_answer,
    scenario.seen,
    scenario.oracle.state,
    ...others,
  ];
}

/** Expressions that are not valid JMESPath. */
export function expressionProblems(scenario: Scenario): string[] {
  return expressionsIn(scenario).flatMap((expression) => {
    if (expression === undefined) return [];
    try {
      compile(expression);
      return [];
    } catch (error) {
      return [`${expression}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
