// For authors of surfaces, transports and stores. Every exported name is stable.
export {
  CALL_ERROR_CODES,
  PREFLIGHT_CODES,
  ROUTES,
  TOOL_ERROR_CODES,
  failureResult,
  isErrorCode,
  isToolEnvelope,
  randomDigits,
  successResult,
  toResultError,
  toToolError,
  toolErrorCode,
} from "./envelope/index.ts";
export type {
  AnswerMeta,
  BriefError,
  BriefMeta,
  BriefResult,
  CodeMapping,
  ErrorCodeInfo,
  PreflightCode,
  ResultErrorOptions,
  Suggestion,
  ToolErrorCode,
  ToolErrorResult,
  ToolMeta,
  ToolResult,
  ToolSuggestion,
} from "./envelope/index.ts";
export type { LocalRun, OperationRun, Origin } from "./operation/index.ts";
export { camelCasedId } from "./registry/index.ts";
export { RequestTable, inProcessTransport } from "./calls/index.ts";
export type {
  AcceptCall,
  AnswerEvent,
  AnswerListener,
  CallAbortedEvent,
  CallCompletedEvent,
  CallErrorEvent,
  CallEvent,
  CallHandlerOptions,
  CallRequestedEvent,
  CallRespondedEvent,
  CallTransport,
  Exchange,
  PendingRequestMapOptions,
  SubscribeOptions,
} from "./calls/index.ts";
export {
  MAX_SHOWN_BYTES,
  MIN_TOKENS,
  applyBudget,
  estimateTokens,
  findMedia,
  fitTokens,
  loadTokenList,
  readMedia,
  roughTokens,
} from "./budget/index.ts";
export type {
  BudgetOptions,
  Fitted,
  HandleInfo,
  HandleText,
  KeptMedia,
  MemoryHandlesOptions,
} from "./budget/index.ts";
export type { ApprovalRecord } from "./policy/index.ts";
export {
  EXECUTE_ID,
  collectEvents,
  limitEvents,
  briefChainText,
  explainText,
  missingSources,
  sourceText,
  executeRemotely,
  wireWaybill,
  signatureLines,
} from "./execute/index.ts";
export type {
  CapabilityState,
  CollectOptions,
  CollectedEvents,
  EventLimits,
  RateLimitState,
  RemoteCaller,
  RouteState,
  WireWaybill,
} from "./execute/index.ts";
export { judgeRecord, peekAt, recordResult } from "./router/index.ts";
export type {
  JournalKey,
  JournalLease,
  JournalPeek,
  JournalProbe,
  JournalRecord,
  JournalRuling,
  JournalVerdict,
  ListApproval,
  ProgramCall,
  ProgramHost,
  ProgramLimits,
  ReplayedCall,
  TimelineEntry,
  UnknownWrite,
  WaitingList,
} from "./router/index.ts";
export { briefToolText, isStandingWarning, parseBriefChain } from "./brief/index.ts";
export type { BriefTextOptions, ParsedBriefChain } from "./brief/index.ts";
export type { ExecuteKnown } from "./execute/index.ts";
