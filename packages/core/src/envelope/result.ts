import { isErrorCode } from "./error-codes.ts";
import type { ErrorCode, PreflightCode, Route, RouteReason } from "./error-codes.ts";
import { isRecord } from "./json.ts";

/** Why a call failed, what became of it, and whether to try again. */
export interface ResultError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One try of a route, or the reason it was skipped. */
export interface AttemptMeta {
  readonly route: Route;
  readonly status: "success" | "error" | "skipped";
  readonly error_code?: ErrorCode | PreflightCode;
  readonly duration_ms: number;
  /** The part of it that was spent waiting for other writes or for the end of a rate limit. */
  readonly waited_ms?: number;
}

/** A call that may help next. */
export interface Suggestion {
  readonly capability_id: string;
  readonly params: object;
  readonly reason: string;
}

/** Facts about a call: which capability, by which route, at what cost. */
export interface ResultMeta {
  capability_id: string;
  request_id?: string;
  route_used?: Route;
  reason?: RouteReason;
  attempts?: readonly AttemptMeta[];
  pagination?: { has_next_page: boolean; end_cursor: string | null; total?: number };
  truncated?: boolean;
  handle?: string;
  limits?: Readonly<Record<string, number>>;
  next?: readonly Suggestion[];
  warnings?: readonly string[];
  /** Headers of the upstream's response that a caller needs, such as `location`. */
  headers?: Readonly<Record<string, string>>;
  timings?: { total_ms: number; adapter_ms: number };
  cost?: {
    tokens_out: number;
    tokens_in?: number;
    upstream_requests?: number;
    rate_limit_remaining?: number;
  };
  replayed?: boolean;
}

/** A ResultEnvelope of a call that succeeded. */
export interface SuccessResult<T = unknown> {
  ok: true;
  data: T;
  error: null;
  meta: ResultMeta;
}

/** A ResultEnvelope of a call that failed. */
export interface FailureResult {
  ok: false;
  data: null;
  error: ResultError;
  meta: ResultMeta;
}

/** The agent's answer: what happened, how, and what it cost. All four keys are always there. */
export type ResultEnvelope<T = unknown> = SuccessResult<T> | FailureResult;

/** JSON drops a key whose value is undefined, so no data is `null`. */
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
