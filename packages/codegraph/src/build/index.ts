export { openCodeGraph } from "./session/open.ts";
export type {
  GraphProgress,
  GraphState,
  OpenCodeGraph,
  OpenGraphOptions,
  OtherTree,
} from "./session/types.ts";
