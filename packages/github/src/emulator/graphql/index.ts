export { executeGraphql } from "./engine.ts";
export { operationsOf } from "./operations.ts";
