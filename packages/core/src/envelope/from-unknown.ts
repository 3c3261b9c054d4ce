import { CallError, isCallError } from "./call-error.ts";
import type { CallErrorDetails } from "./call-error.ts";
import { CALL_ERROR_CODES, ERROR_CODES, isCallErrorCode, isErrorCode } from "./error-codes.ts";
import type { ErrorCode, Outcome } from "./error-codes.ts";
import { toJson } from "./json.ts";
import type { ResultError } from "./result.ts";

const MESSAGE_LIMIT = 2_000;

function clip(text: string): string {
  return text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}…` : text;
}

/**
 * Reads a message from any thrown value. Getters and proxies may throw, so every access is guarded.
 */
function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name);
    if (typeof thrown === "string") return thrown === "" ? "an empty string was thrown" : thrown;
    if (typeof thrown === "symbol") return `${thrown.toString()} was thrown`;
    if (typeof thrown === "function") return "a function was thrown";
    if (typeof thrown === "object" && thrown !== null) return describeObject(thrown);
    return `${String(thrown)} was thrown`;
  } catch {
    return "something unreadable was thrown";
  }
}

function describeObject(thrown: object): string {
  const message: unknown = Reflect.get(thrown, "message");
  if (typeof message === "string" && message !== "") return message;
  return JSON.stringify(thrown) ?? "an object was thrown";
}

function errorName(thrown: unknown): unknown {
  try {
    return thrown instanceof Error ? thrown.name : undefined;
  } catch {
    return undefined;
  }
}

/** Errors from an older copy of this package have no methods. */
function withMethods(error: CallError): CallError {
  if (typeof error.with === "function") return error;
  const { code, message, details } = error;
  return new CallError(code, message, details, { cause: error });
}

/** Returns a CallError that can be passed on unchanged. Untyped code may set an invalid code. */
function asCallError(thrown: unknown): CallError | undefined {
  try {
    return isCallError(thrown) && isCallErrorCode(thrown.code) ? withMethods(thrown) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts any thrown value to a CallError and keeps it as the cause. Never throws.
 *
 * @example
 * ```ts
 * import { errorFromUnknown } from "@waybill/core";
 *
 * console.log(errorFromUnknown("disk full").message);
 * ```
 *
 * ```text
 * disk full
 * ```
 */
export function errorFromUnknown(thrown: unknown): CallError {
  const known = asCallError(thrown);
  if (known !== undefined) return known;
  const message = clip(describeThrown(thrown));
  const name = errorName(thrown);
  if (name === "TimeoutError") return new CallError("TIMEOUT", message, {}, { cause: thrown });
  if (name === "AbortError") return new CallError("ABORTED", message, {}, { cause: thrown });
  return new CallError("EXECUTION_ERROR", message, {}, { cause: thrown });
}

/**
 * The error code that an agent sees. An `EXECUTION_ERROR` may have its own.
 *
 * @example
 * ```ts
 * import { agentErrorCode, fail } from "@waybill/core";
 *
 * console.log(agentErrorCode(fail("CONFLICT", "Already merged")));
 * ```
 *
 * ```text
 * CONFLICT
 * ```
 */
export function agentErrorCode(error: CallError): ErrorCode {
  const named = error.details.code;
  if (error.code === "EXECUTION_ERROR" && isErrorCode(named)) return named;
  return CALL_ERROR_CODES[error.code].code;
}

/**
 * Whether a later attempt may succeed. It cannot if the resource was moved or the answer cannot
 * be read (`final`).
 */
export function mayHelpLater(code: ErrorCode, { status = 0, final }: CallErrorDetails): boolean {
  return ERROR_CODES[code].retryable && final !== true && !(status >= 300 && status < 400);
}

/**
 * Whether a repeat is safe. A write that may have been applied is repeated only if that does no
 * harm.
 */
function isRetryable(code: ErrorCode, details: CallErrorDetails, isRepeatable: boolean): boolean {
  if (!mayHelpLater(code, details) || details.outcome === "applied") return false;
  return isRepeatable || details.outcome === "not_applied";
}

/**
 * A call that was sent and not answered has an unknown outcome, even if the error does not say so.
 */
function knownOutcome(error: CallError): Outcome | undefined {
  return error.details.outcome ?? (error.code === "OUTCOME_UNKNOWN" ? "unknown" : undefined);
}

/** Details are sent with the error, so values that are not JSON are removed. */
function sendable(details: CallErrorDetails, outcome: Outcome | undefined): CallErrorDetails {
  const whole = outcome === undefined ? details : { outcome, ...details };
  try {
    return toJson(whole).value as CallErrorDetails;
  } catch {
    return outcome === undefined ? {} : { outcome };
  }
}

/** Options of toResultError. */
export interface ResultErrorOptions {
  /** The request id to name in the message of an internal failure. */
  readonly requestId: string;
  /** Whether the operation is a write. Only writes have an outcome. */
  readonly isWrite: boolean;
  /** Whether the operation may run twice without harm: a read, or an idempotent write. */
  readonly isRepeatable: boolean;
}

/**
 * The error as an agent may see it. Internal errors may contain paths, secrets or queries, so their
 * text and details are removed. The request id helps to find them in the log.
 */
export function toResultError(error: CallError, options: ResultErrorOptions): ResultError {
  const code = agentErrorCode(error);
  const isInternal = code === "UNKNOWN" && !isErrorCode(error.details.code);
  const message = isInternal
    ? `Unexpected failure; look for request ${options.requestId} in the log`
    : clip(error.message);
  const { code: _code, outcome: _outcome, ...others } = error.details;
  const outcome = options.isWrite ? knownOutcome(error) : undefined;
  const details = sendable(isInternal ? {} : others, outcome);
  const retryable = isRetryable(code, details, options.isRepeatable);
  return Object.keys(details).length === 0
    ? { code, message, retryable }
    : { code, message, retryable, details };
}
