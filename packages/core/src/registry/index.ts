export { assertAccess } from "./access.ts";
export { CallContext, abortedError, nestedOperation, waitWithin } from "./call-context.ts";
export type { CallOptions } from "./call-context.ts";
export { Catalogue, camelCasedId } from "./catalogue.ts";
export type {
  ListOptions,
  MissingReason,
  RegistryOptions,
  SearchHit,
  SearchOptions,
} from "./catalogue.ts";
export type { Entry, InputNames, Schemas } from "./entry.ts";
export { untypedDigits } from "./untyped-digits.ts";
export { checkParams, innerIssues, invalidInput, looseNames } from "./input.ts";
export type { CheckedInput, Registry } from "./registry.ts";
export { missingHandler } from "./missing-handler.ts";
export { PackedIndex, packOperations } from "./packed-index.ts";
export type { WordIndex } from "./postings.ts";
export { nextRequestId } from "./request-id.ts";
export { toEnvelope, uncheckedIn } from "./result-pipeline.ts";
