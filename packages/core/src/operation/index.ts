export { AbortNode } from "./abort-node.ts";
export { NOBODY, accessDenial } from "./access.ts";
export type { AccessControl, Identity } from "./access.ts";
export { deadlineClock, deadlineError } from "./deadline.ts";
export type { DeadlineEntry } from "./deadline.ts";
export { defineOperation, defineSubscription } from "./define-operation.ts";
export type {
  AnySchema,
  Infer,
  InferCaller,
  OperationDefinition,
  SubscriptionDefinition,
} from "./define-operation.ts";
export { wholeSpec } from "./complete-spec.ts";
export type { SparseSpec } from "./complete-spec.ts";
export { buildEnv } from "./env.ts";
export type { OperationCaller, OperationEnv } from "./env.ts";
export { EFFECTS, ORIGINS, checkId, isRepeatable, splitId } from "./operation.ts";
export type {
  CallMetadata,
  Effect,
  LocalRun,
  Operation,
  OperationContext,
  OperationExample,
  OperationHandler,
  OperationRun,
  OperationSpec,
  OperationSummary,
  Origin,
  SubscriptionHandler,
} from "./operation.ts";
