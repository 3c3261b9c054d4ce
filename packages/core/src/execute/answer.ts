import { roughTokens } from "../budget/index.ts";
import {
  errorCodeOf,
  fail,
  failureResult,
  successResult,
  toJson,
  toResultError,
} from "../envelope/index.ts";
import type {
  AnswerFacts,
  AttemptMeta,
  CallError,
  MCPContentBlock,
  ResponseEnvelope,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  Route,
} from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { CallState } from "./call-state.ts";
import type { Redactor } from "./redaction/index.ts";
import { attemptOfUnavailable } from "./source-slot.ts";

export const ROUTE_OF_SOURCE: Readonly<Record<ResponseEnvelope["meta"]["source"], Route>> = {
  local: "local",
  http: "rest",
  mcp: "mcp",
  cli: "cli",
};

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

/** The words of a tool that reported its own failure. */
function reportText(content: readonly MCPContentBlock[]): string {
  const text = content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
  return text === "" ? "The tool reported an error" : text;
}

/** A failure that came as an answer, or undefined. */
export function reportedFailure(
  spec: OperationSpec,
  response: ResponseEnvelope,
): CallError | undefined {
  if (response.meta.source !== "mcp" || !response.meta.isError) return undefined;
  const outcome = spec.effect === "read" ? {} : ({ outcome: "unknown" } as const);
  return fail("UNKNOWN", reportText(response.meta.content), outcome);
}

function asJson(spec: OperationSpec, data: unknown): ReturnType<typeof toJson> {
  try {
    return toJson(data);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const outcome = spec.effect === "read" ? {} : ({ outcome: "applied" } as const);
    throw fail("UNKNOWN", `${spec.id} returned something that is not JSON: ${why}`, outcome, {
      cause,
    });
  }
}

function routeMeta(state: CallState): Pick<ResultMeta, "route_used" | "reason"> {
  const { routed } = state;
  if (routed === undefined) return { route_used: state.route, reason: "DEFAULT_POLICY" };
  const { routeUsed, reason } = routed;
  if (routeUsed === undefined) return {};
  return reason === undefined ? { route_used: routeUsed } : { route_used: routeUsed, reason };
}

function ownAttempt(state: CallState, error: CallError | undefined): AttemptMeta {
  const attempt = { route: state.route, duration_ms: round(state.adapterElapsed) };
  return error === undefined
    ? { ...attempt, status: "success" }
    : { ...attempt, status: "error", error_code: errorCodeOf(error) };
}

/** Every try and skip; shown when asked for, when there was more than one, and on errors. */
function attemptsOf(state: CallState, error: CallError | undefined): readonly AttemptMeta[] {
  const { routed, options } = state;
  if (routed !== undefined) {
    const isTold = options.trace === true || error !== undefined || routed.attempts.length > 1;
    return isTold ? routed.attempts : [];
  }
  const skipped = error && attemptOfUnavailable(error);
  if (skipped !== undefined) return [skipped];
  const isTold = options.trace === true || error !== undefined;
  return isTold && state.isDispatched ? [ownAttempt(state, error)] : [];
}

/** The cost is about the whole text, and the number itself is part of it. */
function withTrace(result: ResultEnvelope, state: CallState): ResultEnvelope {
  if (state.options.trace !== true) return result;
  const { meta } = result;
  meta.timings = { total_ms: round(state.elapsed), adapter_ms: round(state.adapterElapsed) };
  const { routed } = state;
  meta.cost = {
    tokens_out: 0,
    ...(routed !== undefined && { upstream_requests: routed.upstreamRequests }),
    ...(routed?.rateLimitRemaining !== undefined && {
      rate_limit_remaining: routed.rateLimitRemaining,
    }),
  };
  meta.cost.tokens_out = roughTokens(JSON.stringify(result));
  return result;
}

/** Spelled out for the local call, where a spread would show. */
function metaOf(state: CallState, capability_id: string): ResultMeta {
  return state.routed === undefined
    ? { capability_id, route_used: state.route, reason: "DEFAULT_POLICY" }
    : { capability_id, ...routeMeta(state) };
}

/** By name, so that nothing else of what a handler says gets into the envelope. */
function factsOf({ pagination, truncated, limits, next }: AnswerFacts): AnswerFacts {
  return {
    ...(pagination !== undefined && { pagination }),
    ...(truncated !== undefined && { truncated }),
    ...(limits !== undefined && { limits }),
    ...(next !== undefined && { next }),
  };
}

/** The headers that the route marked as needed by a caller. */
function toldHeaders({ meta }: ResponseEnvelope): Record<string, string> | undefined {
  if (meta.source !== "http" || meta.told === undefined) return undefined;
  const { headers, told } = meta;
  const found = told.filter((name) => Object.hasOwn(headers, name));
  return Object.fromEntries(found.map((name) => [name, headers[name]!]));
}

export function successAnswer(
  state: CallState,
  spec: OperationSpec,
  response: ResponseEnvelope,
  redactor: Redactor,
): ResultEnvelope {
  const { options } = state;
  const json = asJson(spec, response.data);
  const meta = metaOf(state, spec.id);
  if (response.meta.source === "local" && response.meta.answer !== undefined) {
    Object.assign(meta, factsOf(response.meta.answer));
  }
  const headers = toldHeaders(response);
  if (headers !== undefined) meta.headers = redactor.data(headers);
  const { warnings } = response.meta;
  if (warnings !== undefined || json.warnings.length > 0) {
    meta.warnings = [...(warnings ?? []), ...json.warnings].map((text) => redactor.text(text));
  }
  if (spec.effect !== "read" || options.trace === true) meta.request_id = state.requestId;
  if (state.routed !== undefined || options.trace === true) {
    const attempts = attemptsOf(state, undefined);
    if (attempts.length > 0) meta.attempts = attempts;
  }
  return withTrace(successResult(redactor.data(json.value), meta), state);
}

/** A failure as it may leave; what approves it stays as it is. */
export function redacted(error: ResultError, redactor: Redactor): ResultError {
  const message = redactor.text(error.message);
  if (error.details === undefined) return { ...error, message };
  const { approve, ...others } = error.details;
  const details = redactor.value(others) as Record<string, unknown>;
  return {
    ...error,
    message,
    details: approve === undefined ? details : { ...details, approve },
  };
}

/** What has not been found yet may be a write, unless it is plain that nothing can have been sent. */
function mayBeWrite(error: CallError): boolean {
  const code = errorCodeOf(error);
  return code !== "NOT_FOUND" && code !== "VALIDATION";
}

export function failureAnswer(
  state: CallState,
  error: CallError,
  redactor: Redactor,
): ResultEnvelope {
  const { spec } = state;
  // What names no operation is the caller's text, and as likely to hold a secret as any.
  const capability_id = spec?.id ?? redactor.text(state.capability_id);
  const meta: ResultMeta = { capability_id, request_id: state.requestId };
  if (state.isDispatched) Object.assign(meta, routeMeta(state));
  const attempts = attemptsOf(state, error);
  if (attempts.length > 0) meta.attempts = attempts;
  const resultError = toResultError(error, {
    requestId: state.requestId,
    isWrite: spec === undefined ? mayBeWrite(error) : spec.effect !== "read",
    // What was not found was not sent.
    isRepeatable: spec === undefined || isRepeatable(spec),
  });
  return withTrace(failureResult(redacted(resultError, redactor), meta), state);
}
