/** Describes what a failure means for the caller and how to react. */
export interface ErrorCodeInfo {
  /** Whether repeating the same call is safe by default and may help. */
  readonly retryable: boolean;
  /** Whether another route of the same capability may be tried. */
  readonly fallsBack: boolean;
  /** The HTTP status that servers answer with. */
  readonly http: number;
  /** When the error occurs, one sentence. */
  readonly when: string;
}

function facts(http: number, retryable: boolean, fallsBack: boolean, when: string): ErrorCodeInfo {
  return Object.freeze({ retryable, fallsBack, http, when });
}

/** The code of a failure, as an agent sees it. docs/reference/errors.md lists them. */
export type ErrorCode =
  | "AUTH"
  | "NOT_FOUND"
  | "VALIDATION"
  | "CONFLICT"
  | "POLICY"
  | "RATE_LIMIT"
  | "NETWORK"
  | "TIMEOUT"
  | "SERVER"
  | "NOT_READY"
  | "TOO_LARGE"
  | "ADAPTER_UNSUPPORTED"
  | "CANCELLED"
  | "UNKNOWN";

/**
 * The only table of error codes. Every surface reads it, and `docs/reference/errors.md` is
 * generated from it.
 */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeInfo>> = Object.freeze({
  AUTH: facts(401, false, true, "Credentials are missing, wrong or without permission"),
  NOT_FOUND: facts(404, false, false, "The object or the capability does not exist"),
  VALIDATION: facts(400, false, false, "The input does not match the schema of the capability"),
  CONFLICT: facts(409, false, false, "The object is in a state that does not allow this call"),
  POLICY: facts(403, false, false, "Refused by access rules or policy, or approval is needed"),
  RATE_LIMIT: facts(429, true, true, "Too many requests; `retry_after_ms` says how long to wait"),
  NETWORK: facts(502, true, true, "The source could not be reached"),
  TIMEOUT: facts(504, true, true, "The deadline passed, or the source gave up"),
  SERVER: facts(502, true, true, "The source failed"),
  NOT_READY: facts(
    503,
    true,
    false,
    "A result is still being computed, or stored data cannot be written now",
  ),
  TOO_LARGE: facts(413, false, false, "The request exceeds a limit, and smaller pages do not help"),
  ADAPTER_UNSUPPORTED: facts(501, false, true, "No route can make this call"),
  CANCELLED: facts(499, false, false, "The caller aborted, or a step it depends on failed"),
  UNKNOWN: facts(
    500,
    false,
    true,
    "Any other failure. For an internal error, the message has an id to look for in the log",
  ),
});

/** The error code that a caller sees for an internal code, and when it occurs. */
export interface CodeMapping {
  /** The code that a caller sees. */
  readonly code: ErrorCode;
  /** When the error occurs, one sentence. */
  readonly when: string;
}

function mapping(code: ErrorCode, when: string): CodeMapping {
  return Object.freeze({ code, when });
}

/** Why a route cannot be used before it is tried. */
export type PreflightCode =
  | "CLI_UNAUTHENTICATED"
  | "TOKEN_MISSING"
  | "HOST_MISMATCH"
  | "SCOPE_MISSING"
  | "SOURCE_DOWN"
  | "OFFLINE"
  | "ROUTE_NOT_CONFIGURED"
  | "CLI_NOT_AVAILABLE"
  | "CLI_VERSION"
  | "LIMIT_EXCEEDED";

/** The reasons for skipping a route, and the error code for each if no route is left. */
export const PREFLIGHT_CODES: Readonly<Record<PreflightCode, CodeMapping>> = Object.freeze({
  CLI_UNAUTHENTICATED: mapping("AUTH", "The program is installed but not signed in"),
  TOKEN_MISSING: mapping("AUTH", "No token is configured for the host"),
  HOST_MISMATCH: mapping("AUTH", "The token belongs to another host"),
  SCOPE_MISSING: mapping("AUTH", "The token lacks a scope the operation needs"),
  SOURCE_DOWN: mapping("NETWORK", "The source does not answer"),
  OFFLINE: mapping("NETWORK", "The network is disabled"),
  ROUTE_NOT_CONFIGURED: mapping(
    "ADAPTER_UNSUPPORTED",
    "This route of the source is not configured here",
  ),
  CLI_NOT_AVAILABLE: mapping("ADAPTER_UNSUPPORTED", "The program is not installed"),
  CLI_VERSION: mapping("ADAPTER_UNSUPPORTED", "The program is too old for this operation"),
  LIMIT_EXCEEDED: mapping("ADAPTER_UNSUPPORTED", "The request is over a limit of this route"),
});

/** The step at which a call failed. */
export type CallErrorCode =
  | "OPERATION_NOT_FOUND"
  | "ACCESS_DENIED"
  | "VALIDATION_ERROR"
  | "TIMEOUT"
  | "ABORTED"
  | "EXECUTION_ERROR"
  | "OUTCOME_UNKNOWN";

/** The codes of the call protocol, and the code that an agent sees for each. */
export const CALL_ERROR_CODES: Readonly<Record<CallErrorCode, CodeMapping>> = Object.freeze({
  OPERATION_NOT_FOUND: mapping("NOT_FOUND", "No operation has this id"),
  ACCESS_DENIED: mapping("POLICY", "The identity may not call this operation"),
  VALIDATION_ERROR: mapping("VALIDATION", "The input does not match the operation's schema"),
  TIMEOUT: mapping("TIMEOUT", "The deadline of the call, or of a call around it, passed"),
  ABORTED: mapping("CANCELLED", "The caller aborted the call, or a call around it"),
  EXECUTION_ERROR: mapping(
    "UNKNOWN",
    "The handler failed; `details.code` may name a more specific code",
  ),
  OUTCOME_UNKNOWN: mapping("NETWORK", "The call was sent, but its outcome is unknown"),
});

/** The routes that a capability can have. */
export const ROUTES = ["cli", "graphql", "rest", "mcp", "local"] as const;
/** A way to run a capability. */
export type Route = (typeof ROUTES)[number];

export const ROUTE_REASONS = [
  "CARD_PREFERRED",
  "CARD_FALLBACK",
  "CLI_NOT_AVAILABLE",
  "CLI_UNAUTHENTICATED",
  "ENV_CONSTRAINT",
  "CAPABILITY_LIMIT",
  "PREFLIGHT_FAILED",
  "PREFERRED_ROUTE_FAILED",
  "ADAPTER_UNSUPPORTED",
  "DEFAULT_POLICY",
] as const;
/** Why a call took its route. */
export type RouteReason = (typeof ROUTE_REASONS)[number];

/** Whether a write was applied. */
export type Outcome = "not_applied" | "applied" | "unknown";

/** Whether a value is one of the error codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}

export function isCallErrorCode(value: unknown): value is CallErrorCode {
  return typeof value === "string" && Object.hasOwn(CALL_ERROR_CODES, value);
}
