import { GRAPH_TOOLS } from "@waybill/codegraph";
import { packSpecs } from "@waybill/github/cards";
import { helpPages } from "../modes/gh-help-pages.ts";
import { slicesFor } from "../modes/schema-slices.ts";
import { isTool } from "../modes/github-mcp-definitions.ts";
import { isShape } from "../modes/github-mcp-shapes.ts";
import type { Scenario, ToolUse } from "../types.ts";

const known = new Set([
  ...packSpecs().map(({ id }) => id),
  ...GRAPH_TOOLS.map((tool) => `graph.${tool}`),
]);

/**
 * Capabilities in the steps that do not exist. Hunches and guesses are not checked, because they
 * may be wrong.
 */
function capabilityProblems({ steps }: Scenario): string[] {
  return steps
    .filter(({ capability }) => !known.has(capability))
    .map(({ capability }) => `there is no capability ${capability}`);
}

/** Documents that are invalid for GitHub's schema. Placeholders are ignored. */
function documentProblems({ graphql }: Scenario): string[] {
  if (typeof graphql === "string") return [];
  const documents = [...graphql.run, ...(graphql.check === undefined ? [] : [graphql.check])];
  return documents.flatMap((document) => {
    try {
      slicesFor(document, "types");
      return [];
    } catch (error) {
      return [`${document}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** Lines of `gh` whose help pages cannot be determined, so their tokens could not be counted. */
function lineProblems({ gh }: Scenario): string[] {
  if (typeof gh === "string") return [];
  const lines = [...gh.run, ...(gh.check === undefined ? [] : [gh.check])];
  return lines.flatMap((line) => {
    try {
      helpPages([line]);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}

function useProblems({ tool, shape }: ToolUse): string[] {
  return [
    ...(isTool(tool) ? [] : [`GitHub's MCP server has no known tool ${tool}`]),
    ...(isShape(shape) ? [] : [`there is no shape ${shape}`]),
  ];
}

function toolProblems({ github_mcp: uses }: Scenario): string[] {
  if (typeof uses === "string") return [];
  return [...uses.run, ...(uses.check === undefined ? [] : [uses.check])].flatMap(useProblems);
}

/** Lists the mistakes in a scenario's calls that would break a play. */
export function callProblems(scenario: Scenario): string[] {
  return [
    ...capabilityProblems(scenario),
    ...documentProblems(scenario),
    ...lineProblems(scenario),
    ...toolProblems(scenario),
  ];
}
