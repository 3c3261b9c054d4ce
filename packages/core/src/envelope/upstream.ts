import type { ErrorCode, Outcome } from "./error-codes.ts";
import { isRecord } from "./json.ts";
import { accessHint } from "./upstream-access.ts";

/** The meaning of an upstream's answer: the error code, and whether a write was applied. */
export interface UpstreamFailure {
  /** The code for an agent. */
  readonly code: ErrorCode;
  /** Whether a write was applied. */
  readonly outcome: Outcome;
  /** The upstream's message, in a sentence. */
  readonly message: string;
  /** Milliseconds to wait before the next attempt. Absent if the upstream gave no time. */
  readonly retry_after_ms?: number;
  /**
   * The rate-limited resource, in the upstream's terms. `*` stands for all requests of the
   * account. Absent if nothing is limited.
   */
  readonly limited?: string;
  /** The next step. Absent if the upstream gives none. */
  readonly hint?: string;
}

/** Header values by lower-case name. */
export type UpstreamHeaders = Readonly<Record<string, string | undefined>>;

/** The parts of a response from which a failure is derived. */
export interface HttpResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: UpstreamHeaders;
  /** The parsed body. It may contain the upstream's own message (default: none). */
  readonly body?: unknown;
}

const STATUS_CODES: readonly (readonly [ErrorCode, readonly number[]])[] = [
  ["VALIDATION", [400, 406, 411, 414, 415, 416, 422]],
  ["AUTH", [401, 403]],
  ["POLICY", [402]],
  ["NOT_FOUND", [404, 410, 451]],
  ["CONFLICT", [405, 409, 412, 423, 428]],
  ["TIMEOUT", [408, 504]],
  ["TOO_LARGE", [413]],
  ["NETWORK", [421, 425]],
  ["RATE_LIMIT", [429]],
  ["ADAPTER_UNSUPPORTED", [501]],
];

const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map(
  STATUS_CODES.flatMap(([code, statuses]) => statuses.map((status) => [status, code] as const)),
);

/**
 * Statuses that mean that a request was refused before anything was done. With any other status,
 * a write may have been applied.
 */
const NOT_APPLIED: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 421, 422, 429, 451,
]);

/** The wait that GitHub asks for if no header names one: one minute. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;
/** The longest wait: one year. Timers and dates cannot use larger numbers. */
const LONGEST_WAIT_MS = 31_536_000_000;
const MAX_SENTENCE = 300;

function serverTime(headers: UpstreamHeaders, now: number): number {
  const date = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? now : date;
}

/**
 * Reads the value of `Retry-After`: seconds, also fractional or repeated, or a date. A plain
 * number is never a date.
 */
function retryAfterHeader(headers: UpstreamHeaders, now: number): number | undefined {
  const value = headers["retry-after"]?.trim() ?? "";
  const seconds = /^(\d{1,20}(?:\.\d{1,9})?)(?:,|$)/u.exec(value)?.[1];
  if (seconds !== undefined) return Math.min(Math.ceil(Number(seconds) * 1_000), LONGEST_WAIT_MS);
  const date = /[a-z]/iu.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - serverTime(headers, now));
}

function isUsedUp(headers: UpstreamHeaders): boolean {
  return headers["x-ratelimit-remaining"]?.trim() === "0";
}

function resetHeader(headers: UpstreamHeaders, now: number): number | undefined {
  const reset = headers["x-ratelimit-reset"]?.trim() ?? "";
  if (!isUsedUp(headers) || !/^\d{1,11}$/u.test(reset)) return undefined;
  return Math.max(0, Number(reset) * 1_000 - serverTime(headers, now));
}

/**
 * How long the upstream asks to wait, in milliseconds. If the upstream sends its time, its clock
 * is used.
 */
export function retryAfter(headers: UpstreamHeaders, now: number = Date.now()): number | undefined {
  return retryAfterHeader(headers, now) ?? resetHeader(headers, now);
}

/** Whether the message is GitHub's text for a limit on all requests of an account. */
export function saysSecondaryLimit(message: unknown): boolean {
  const words = /\bsecondary rate limit\b|\babuse detection mechanism\b/iu;
  return typeof message === "string" && words.test(message);
}

/**
 * GitHub links this documentation page when a secondary limit is reached, not always with a
 * header.
 */
function isSecondaryLimit(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { documentation_url: url, message } = body;
  const isLinked =
    typeof url === "string" && /#(?:about-)?(?:secondary-rate-limits|abuse-)/u.test(url);
  return isLinked || saysSecondaryLimit(message);
}

/** How long to wait if a secondary limit has no header. */
export function secondaryLimitWait(headers: UpstreamHeaders, now: number): number {
  return retryAfter(headers, now) ?? SECONDARY_LIMIT_WAIT_MS;
}

/** An exhausted rate limit applies to one resource. `Retry-After` applies to all. */
export function limitedResource(headers: UpstreamHeaders): string | undefined {
  if (!isUsedUp(headers) || headers["retry-after"] !== undefined) return "*";
  return headers["x-ratelimit-resource"];
}

function isRateLimit({ status, headers, body }: HttpResponseInfo): boolean {
  if (status !== 403) return status === 429;
  return headers["retry-after"] !== undefined || isUsedUp(headers) || isSecondaryLimit(body);
}

function httpCode(facts: HttpResponseInfo): ErrorCode {
  if (isRateLimit(facts)) return "RATE_LIMIT";
  const known = CODE_OF_STATUS.get(facts.status);
  return known ?? (facts.status >= 400 && facts.status < 500 ? "UNKNOWN" : "SERVER");
}

/**
 * Statuses that mean that the resource has moved, so nothing was done. Other redirects, such as
 * 302 and 303, often mean that the work was done.
 */
const MOVED: ReadonlySet<number> = new Set([301, 307, 308]);

function httpOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return "applied";
  return MOVED.has(status) || NOT_APPLIED.has(status) ? "not_applied" : "unknown";
}

/** The first line of the upstream's own message, from the common formats. */
export function upstreamSentence(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const nested = isRecord(body["error"]) ? body["error"]["message"] : body["error"];
  const said = [body["message"], nested, body["detail"], body["title"]];
  const text = said.find((value) => typeof value === "string" && value !== "");
  return typeof text === "string" ? text.split("\n", 1)[0]?.slice(0, MAX_SENTENCE) : undefined;
}

const MAX_PROBLEMS = 3;

/** Describes one entry of a list of problems by its message, or by its field and code. */
function problemText(problem: unknown): string | undefined {
  if (typeof problem === "string") return problem;
  if (!isRecord(problem)) return undefined;
  const { message, resource, field, code } = problem;
  if (typeof message === "string") return message;
  const words = [resource, field, code].filter((word) => typeof word === "string");
  return words.length === 0 ? undefined : words.join(" ");
}

/** The individual problems of a request, if the body lists them like GitHub. */
function problemsIn(body: unknown): string {
  const listed = isRecord(body) && Array.isArray(body["errors"]) ? body["errors"] : [];
  const texts = listed.slice(0, MAX_PROBLEMS).map(problemText);
  const said = texts.filter((text) => text !== undefined && text !== "").join("; ");
  return said === "" ? "" : ` (${said.slice(0, MAX_SENTENCE)})`;
}

/**
 * The meaning of an HTTP response that is not usable. With a 2xx status, the body is the
 * problem.
 */
export function httpFailure(facts: HttpResponseInfo, now: number = Date.now()): UpstreamFailure {
  const code = httpCode(facts);
  const sentence = upstreamSentence(facts.body);
  const retry_after_ms = isSecondaryLimit(facts.body)
    ? secondaryLimitWait(facts.headers, now)
    : retryAfter(facts.headers, now);
  const hint = code === "AUTH" ? accessHint(facts.headers) : undefined;
  const isLimited = code === "RATE_LIMIT" || retry_after_ms !== undefined;
  const limited = isLimited ? limitedResource(facts.headers) : undefined;
  return {
    code,
    outcome: httpOutcome(facts.status),
    message: `The upstream answered ${facts.status}${sentence === undefined ? "" : `: ${sentence}${problemsIn(facts.body)}`}`,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
    ...(limited !== undefined && { limited }),
    ...(hint !== undefined && { hint }),
  };
}

const JSON_RPC_CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [-32_601, "ADAPTER_UNSUPPORTED"],
  [-32_602, "VALIDATION"],
]);
const JSON_RPC_NOT_APPLIED: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

/**
 * The meaning of a JSON-RPC error that the server reported. Some codes say that the server could
 * not read or find the request, so nothing was applied. With any other code, a write may have been
 * applied.
 */
export function jsonRpcFailure(code: number): UpstreamFailure {
  return {
    code: JSON_RPC_CODES.get(code) ?? "SERVER",
    outcome: JSON_RPC_NOT_APPLIED.has(code) ? "not_applied" : "unknown",
    message: `The upstream answered with JSON-RPC error ${code}`,
  };
}
