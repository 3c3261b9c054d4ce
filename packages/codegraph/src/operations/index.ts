export { oneGraphTool } from "./one-tool.ts";
export { graphSource } from "./source.ts";
export { TOOLS, listGraphTools, openGraphTools, runGraphTool } from "./tools.ts";
export type { GraphToolInfo, GraphTools, GraphToolsOptions, RunGraphToolOptions } from "./tools.ts";
export { getWorkspaceContext } from "./workspace-context.ts";
export { GraphWorkspace } from "./workspace.ts";
export type { GraphWorkspaceOptions, WatchState } from "./workspace.ts";
