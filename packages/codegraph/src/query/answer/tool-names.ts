/** Every tool, by the name of its capability after `graph.`. */
export const GRAPH_TOOLS = [
  "digest",
  "issues",
  "impact",
  "path",
  "module",
  "annotations",
  "cycles",
  "layers",
  "search",
  "tree",
  "symbols",
  "references",
  "definition",
  "implementations",
  "call_hierarchy",
  "issue_explain",
  "issue_fixplan",
  "changes",
  "tests",
  "source",
  "rename",
  "rename_apply",
] as const;
export type GraphToolName = (typeof GRAPH_TOOLS)[number];

/** The capability id of a tool. */
export function capabilityId(tool: GraphToolName): string {
  return tool === "rename_apply" ? "graph.rename.apply" : `graph.${tool}`;
}
