// Helpers for other tools that answer in the same form.
export { createErrorEnvelope, createSuccessEnvelope, envelopeToResult } from "@waybill/core";
export { openCodeGraph } from "./build/index.ts";
export type { GraphProgress, GraphState, OpenCodeGraph, OpenGraphOptions } from "./build/index.ts";
export { CodeGraph } from "./graph/index.ts";
export { EXPORT_FORMATS, exportGraph, graphPicture } from "./export/index.ts";
export type {
  DrawingOptions,
  ExportFormat,
  GraphPicture,
  PictureOptions,
  PictureViolation,
} from "./export/index.ts";
export {
  GraphWorkspace,
  TOOLS,
  getWorkspaceContext,
  graphSource,
  listGraphTools,
  oneGraphTool,
  openGraphTools,
  runGraphTool,
} from "./operations/index.ts";
export type {
  GraphToolInfo,
  GraphTools,
  GraphToolsOptions,
  GraphWorkspaceOptions,
  RunGraphToolOptions,
  WatchState,
} from "./operations/index.ts";
export { GRAPH_TOOLS, ISSUE_KINDS, capabilityId as graphCapabilityId } from "./query/index.ts";
export type { GraphToolName, GraphView, IssueKind } from "./query/index.ts";
export { checkRules, LayerRulesSchema } from "./rules/index.ts";
export type { LayerRules, Violation } from "./rules/index.ts";
