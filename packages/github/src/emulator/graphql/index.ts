export { executeGraphql } from "./engine.ts";
export { operationsOf } from "./operations.ts";
export type { Operations } from "./operations.ts";
