// Every exported name is stable. Everything else may change without notice.
export { briefText, parseBrief } from "./brief/index.ts";
export type { ParsedBrief } from "./brief/index.ts";
export {
  CLIResponseMetaSchema,
  CallError,
  ERROR_CODES,
  HTTPResponseMetaSchema,
  LocalResponseMetaSchema,
  MCPContentBlockSchema,
  MCPResponseMetaSchema,
  RESPONSE_SOURCES,
  ResponseEnvelopeSchema,
  ResponseMetaSchema,
  briefResult,
  cliEnvelope,
  createErrorEnvelope,
  createSuccessEnvelope,
  envelopeToResult,
  agentErrorCode,
  errorFromUnknown,
  fail,
  httpEnvelope,
  isCallError,
  isResponseEnvelope,
  isResultEnvelope,
  localEnvelope,
  mcpEnvelope,
  unwrap,
} from "./envelope/index.ts";
export type {
  AttemptMeta,
  CLIResponseMeta,
  CallErrorCode,
  CallErrorDetails,
  CallErrorOptions,
  Change,
  Conformance,
  ErrorCode,
  ErrorEnvelope,
  FailureResult,
  HTTPResponseMeta,
  Issue,
  JsonSchema,
  JsonValue,
  LocalResponseMeta,
  MCPAnnotations,
  MCPContentBlock,
  MCPResourceContent,
  MCPResponseMeta,
  Outcome,
  ResponseEnvelope,
  ResponseMeta,
  ResponseSource,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  Route,
  RouteReason,
  SuccessEnvelope,
  SuccessResult,
  ToolEnvelope,
  WorkspaceContext,
} from "./envelope/index.ts";
export type { StandardSchema } from "./schema/index.ts";
export { buildEnv, defineOperation, defineSubscription } from "./operation/index.ts";
export type {
  AccessControl,
  Effect,
  Identity,
  Infer,
  Operation,
  OperationCaller,
  OperationContext,
  OperationDefinition,
  OperationEnv,
  OperationHandler,
  OperationSpec,
  OperationSummary,
  SubscriptionDefinition,
  SubscriptionHandler,
} from "./operation/index.ts";
export type {
  CallOptions,
  ListOptions,
  Registry,
  RegistryOptions,
  SearchHit,
  SearchOptions,
} from "./registry/index.ts";
export { localSource } from "./source/index.ts";
export type { Collision, Source, SourceProblem } from "./source/index.ts";
export { CallEventSchema, PendingRequestMap, buildCallHandler, subscribe } from "./calls/index.ts";
export type { CallEventMap, CallHandler } from "./calls/index.ts";
export type { Card, ChainStep, OperationCard, SuitabilityRule } from "./cards/index.ts";
// The name that ghx uses for the routes of a card.
export type { CardRouteName as RouteType } from "./cards/index.ts";
export { memoryHandles } from "./budget/index.ts";
export type { HandleStore } from "./budget/index.ts";
export { memoryApprovals } from "./policy/index.ts";
export type { ApprovalStore, PendingApproval, Policy } from "./policy/index.ts";
export { OperationRegistry, createRedactor, createWaybill, pages } from "./execute/index.ts";
export type {
  Capabilities,
  ChainResult,
  Execute,
  CallRecord,
  CapabilityListItem,
  ChainOptions,
  ExecuteOptions,
  ListCapabilitiesOptions,
  Observer,
  OperationCardSummary,
  PageOptions,
  PagesOptions,
  Redactor,
  SourceState,
  WatchOptions,
  Waybill,
  WaybillOptions,
} from "./execute/index.ts";
export { memoryJournal } from "./router/index.ts";
export type { Attempt, Journal, Skip } from "./router/index.ts";
