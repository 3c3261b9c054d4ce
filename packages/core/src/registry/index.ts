export { CallContext, abortedError, waitWithin } from "./call-context.ts";
export type { CallOptions } from "./call-context.ts";
export type { Entry, Gate, Schemas } from "./entry.ts";
export { checkInput, invalidInput, parseInput } from "./input.ts";
export { OperationRegistry } from "./registry.ts";
export type {
  ListOptions,
  NestedCall,
  RegistryOptions,
  SearchHit,
  SearchOptions,
} from "./registry.ts";
export { nextRequestId } from "./request-id.ts";
export { toEnvelope } from "./result-pipeline.ts";
export { assertAccess, runChecked } from "./run.ts";
export type { Ending } from "./run.ts";
