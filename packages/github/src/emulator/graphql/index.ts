export { executeGraphql } from "./engine.ts";
export type { GraphqlResult } from "./engine.ts";
export { operationsOf } from "./operations.ts";
