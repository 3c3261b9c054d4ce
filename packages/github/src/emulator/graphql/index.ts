export { executeGraphql } from "./engine.ts";
export { getOperations } from "./operations.ts";
export type { Operations } from "./operations.ts";
