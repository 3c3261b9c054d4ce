export { openCodeGraph } from "./build/index.ts";
export type { GraphProgress, GraphState, OpenCodeGraph, OpenGraphOptions } from "./build/index.ts";
export { CodeGraph } from "./graph/index.ts";
