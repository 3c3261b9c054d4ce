// These names are the public API. Everything else may change without notice.
export { createHttpApp } from "./app.ts";
export type { HttpApp } from "./app.ts";
export { DEFAULT_LIMITS } from "./options.ts";
export type {
  BearerToken,
  CodeDoor,
  HttpAppOptions,
  HttpLimits,
  McpDoor,
  RefusedRequest,
} from "./options.ts";
export { OIDC_ALGORITHMS } from "./oidc.ts";
export type { OidcAlgorithm, OidcProviderOptions } from "./oidc.ts";
export type { CallerLimits } from "./rate-limit.ts";
export { startHttpServer } from "./serve.ts";
export type { HttpServer, HttpServerOptions } from "./serve.ts";
export type {
  CallsFilter,
  InspectedHistory,
  InspectorOptions,
  TotalsQuery,
} from "./inspector/inspector.ts";
export type {
  ApprovalsAnswer,
  AttemptView,
  CallDetail,
  CallFile,
  CallKind,
  CallSummary,
  CallSurface,
  CallsAnswer,
  CallsEvent,
  CallsQuery,
  CapabilityTotals,
  CapabilityView,
  ClientTotals,
  GraphPicture,
  HelloEvent,
  RouteView,
  SessionTotals,
  SourcePart,
  SourceView,
  SourcesAnswer,
  TotalsAnswer,
  TotalsBucket,
} from "./inspector/wire.ts";
