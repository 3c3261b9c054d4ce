export { briefError, briefResult } from "./brief.ts";
export type { BriefError, BriefMeta, BriefResult } from "./brief.ts";
export { briefToolEnvelope } from "./brief-tool.ts";
export { CallError, fail, isCallError, thrownMessage } from "./call-error.ts";
export type { CallErrorDetails, CallErrorOptions, Issue } from "./call-error.ts";
export {
  CALL_ERROR_CODES,
  ERROR_CODES,
  PREFLIGHT_CODES,
  ROUTES,
  isErrorCode,
} from "./error-codes.ts";
export type {
  CallErrorCode,
  CodeMapping,
  ErrorCode,
  ErrorCodeInfo,
  Outcome,
  PreflightCode,
  Route,
  RouteReason,
} from "./error-codes.ts";
export { agentErrorCode, errorFromUnknown, mayHelpLater, toResultError } from "./from-unknown.ts";
export type { ResultErrorOptions } from "./from-unknown.ts";
export {
  exactDigits,
  exactIntegersMeta,
  isLargeInteger,
  markIntegers,
  parseExactJson,
  unmarkIntegers,
  unmarkText,
  unquoteDigits,
} from "./exact-json.ts";
export type { ExactJson } from "./exact-json.ts";
export { isRecord, merge, setOwn, toJson } from "./json.ts";
export { randomDigits } from "./random-digits.ts";
export type { JsonSchema, JsonSchemaObject, JsonValue } from "./json.ts";
export {
  RESPONSE_SOURCES,
  cliEnvelope,
  httpEnvelope,
  localEnvelope,
  mcpEnvelope,
  unwrap,
} from "./response.ts";
export type {
  AnswerMeta,
  CLIResponseMeta,
  Change,
  Conformance,
  HTTPResponseMeta,
  LocalResponseMeta,
  MCPAnnotations,
  MCPContentBlock,
  MCPResourceContent,
  MCPResponseMeta,
  PipelineMeta,
  ResponseEnvelope,
  ResponseMeta,
  ResponseSource,
} from "./response.ts";
export { isResponseEnvelope } from "./response-guard.ts";
export {
  CLIResponseMetaSchema,
  HTTPResponseMetaSchema,
  LocalResponseMetaSchema,
  MCPContentBlockSchema,
  MCPResponseMetaSchema,
  ResponseEnvelopeSchema,
  ResponseMetaSchema,
} from "./response-schemas.ts";
export { failureResult, isResultEnvelope, successResult, withWarnings } from "./result.ts";
export type {
  AttemptMeta,
  FailureResult,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  SuccessResult,
  Suggestion,
} from "./result.ts";
export { ResultEnvelopeSchema, ResultErrorSchema, ResultMetaSchema } from "./result-schemas.ts";
export type { StrictJsonOptions } from "./strict-json.ts";
export { ANY_OBJECT, STRING, closed } from "./shapes.ts";
export {
  TOOL_ERROR_CODES,
  createErrorEnvelope,
  createSuccessEnvelope,
  envelopeToResult,
  isToolEnvelope,
  toolErrorCode,
} from "./tool.ts";
export { toToolError } from "./tool-error.ts";
export type {
  ErrorEnvelope,
  SuccessEnvelope,
  ToolEnvelope,
  ToolErrorCode,
  ToolErrorResult,
  ToolMeta,
  ToolResult,
  ToolSuggestion,
  WorkspaceContext,
} from "./tool.ts";
export { ToolEnvelopeSchema } from "./tool-schemas.ts";
export { httpFailure, retryAfter, jsonRpcFailure } from "./upstream.ts";
export type { HttpResponseInfo, UpstreamFailure, UpstreamHeaders } from "./upstream.ts";
export { graphqlFailure, graphqlStatusFailure } from "./upstream-graphql.ts";
export { parseStrictJson } from "./strict-json.ts";
