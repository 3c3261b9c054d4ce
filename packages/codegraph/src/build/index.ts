export { openCodeGraph } from "./session/open.ts";
export type {
  GraphProgress,
  GraphState,
  OpenCodeGraph,
  OpenGraphOptions,
} from "./session/types.ts";
