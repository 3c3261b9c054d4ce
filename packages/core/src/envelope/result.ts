import { isErrorCode } from "./error-codes.ts";
import type { ErrorCode, PreflightCode, Route, RouteReason } from "./error-codes.ts";
import { isRecord } from "./json.ts";

/** Why a call failed, its outcome, and whether to try again. */
export interface ResultError {
  /** The kind of failure. */
  readonly code: ErrorCode;
  /** The failure, in a sentence. */
  readonly message: string;
  /** Whether repeating the same call is safe and may succeed. */
  readonly retryable: boolean;
  /** Facts such as `outcome` and `issues`. Absent if there are none. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One attempt on a route, or a skipped route. */
export interface AttemptMeta {
  /** The route that was tried or skipped. */
  readonly route: Route;
  /** Whether the route answered, failed or was skipped. */
  readonly status: "success" | "error" | "skipped";
  /** Why the attempt failed or the route was skipped. Absent on success. */
  readonly error_code?: ErrorCode | PreflightCode;
  /** Milliseconds that it took, including waiting. */
  readonly duration_ms: number;
  /**
   * Milliseconds of `duration_ms` that were spent waiting for other writes, for a rate limit or
   * before a retry. Absent if it did not wait.
   */
  readonly waited_ms?: number;
}

/** A call that may help next. */
export interface Suggestion {
  /** The capability to call. */
  readonly capability_id: string;
  /** The input of the suggested call. */
  readonly params: object;
  /** Why the call may help. */
  readonly reason: string;
}

/** Facts about a call: which capability, by which route, at what cost. */
export interface ResultMeta {
  /** The capability that was called. */
  capability_id: string;
  /** The id of the call. Absent for a read that succeeded, unless `trace` is set. */
  request_id?: string;
  /** The route that answered, or that was tried last. Absent if no route was tried. */
  route_used?: Route;
  /** Why this route was taken. Absent if no route was tried. */
  reason?: RouteReason;
  /** Every attempt and skip. Absent if the first attempt succeeded, unless `trace` is set. */
  attempts?: readonly AttemptMeta[];
  /** Where the list continues. Absent if the answer is not a list. */
  pagination?: { has_next_page: boolean; end_cursor: string | null; total?: number };
  /** Whether a token limit removed data. Absent if nothing was removed. */
  truncated?: boolean;
  /** The handle of the removed data, for `result.read`. Absent if nothing was kept. */
  handle?: string;
  /**
   * Fields that a brief answer leaves out; `select` returns them. Absent if there are none.
   */
  left_out?: readonly string[];
  /** Limits that affected the answer, such as `max_tokens`. Absent if none did. */
  limits?: Readonly<Record<string, number>>;
  /** Calls that may help next. Absent if there are none. */
  next?: readonly Suggestion[];
  /** Warnings about the answer. Absent if there are none. */
  warnings?: readonly string[];
  /**
   * Headers of the upstream's response that a caller needs, such as `location`. Absent if there are
   * none.
   */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds of the call. Absent unless `trace` is set. */
  timings?: { total_ms: number; adapter_ms: number };
  /** Tokens and upstream requests. Absent unless `trace` or `max_tokens` is set. */
  cost?: {
    tokens_out: number;
    tokens_in?: number;
    upstream_requests?: number;
    rate_limit_remaining?: number;
  };
  /** Whether the answer was recorded by an earlier call with the same key. Absent if not. */
  replayed?: boolean;
}

/** A ResultEnvelope of a call that succeeded. */
export interface SuccessResult<T = unknown> {
  /** Always true. */
  ok: true;
  /** The answer; null if the operation returned nothing. */
  data: T;
  /** Always null. */
  error: null;
  /** Facts about the call. */
  meta: ResultMeta;
}

/** A ResultEnvelope of a call that failed. */
export interface FailureResult {
  /** Always false. */
  ok: false;
  /** Always null. */
  data: null;
  /** Why the call failed. */
  error: ResultError;
  /** Facts about the call. */
  meta: ResultMeta;
}

/** The agent's answer: what happened, how, and what it cost. All four keys are always present. */
export type ResultEnvelope<T = unknown> = SuccessResult<T> | FailureResult;

/**
 * Builds the ResultEnvelope of a successful call. Undefined data becomes null, because JSON drops
 * undefined.
 */
export function successResult<T>(data: T, meta: ResultMeta): SuccessResult<T> {
  return { ok: true, data: data === undefined ? (null as T) : data, error: null, meta };
}

/** Builds the ResultEnvelope of a call that failed. */
export function failureResult(error: ResultError, meta: ResultMeta): FailureResult {
  return { ok: false, data: null, error, meta };
}

/** The same result with more warnings. */
export function withWarnings(result: ResultEnvelope, warnings: readonly string[]): ResultEnvelope {
  if (warnings.length === 0) return result;
  const all = [...(result.meta.warnings ?? []), ...warnings];
  return { ...result, meta: { ...result.meta, warnings: all } };
}

function isResultError(value: unknown): value is ResultError {
  return (
    isRecord(value) &&
    isErrorCode(value["code"]) &&
    typeof value["message"] === "string" &&
    typeof value["retryable"] === "boolean"
  );
}

/** Whether a value has the form of a ResultEnvelope. */
export function isResultEnvelope(value: unknown): value is ResultEnvelope {
  if (!isRecord(value) || Object.keys(value).length !== 4) return false;
  if (!Object.hasOwn(value, "data")) return false;
  const { ok, data, error, meta } = value;
  if (!isRecord(meta) || typeof meta["capability_id"] !== "string") return false;
  return ok === true ? error === null : ok === false && data === null && isResultError(error);
}
