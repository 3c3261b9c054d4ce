import {
  agentErrorCode,
  errorFromUnknown,
  fail,
  failureResult,
  thrownMessage,
  toJson,
  toResultError,
} from "../../envelope/index.ts";
import type {
  AnswerMeta,
  AttemptMeta,
  CallError,
  MCPContentBlock,
  MCPResponseMeta,
  ResponseEnvelope,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  Route,
} from "../../envelope/index.ts";
import { isRepeatable } from "../../operation/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { roundMilliseconds } from "../../router/index.ts";
import type { Call } from "../call/call.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Settings } from "../settings.ts";
import { withSignature } from "../call/signature.ts";
import { attemptOfUnavailable } from "../sources/source-slot.ts";

const ROUTE_OF_SOURCE: Readonly<Record<ResponseEnvelope["meta"]["source"], Route>> = {
  local: "local",
  http: "rest",
  mcp: "mcp",
  cli: "cli",
};

/** The route that answered the call. */
export function routeTaken({ response }: Call): Route {
  return response === undefined ? "local" : ROUTE_OF_SOURCE[response.meta.source];
}

const NONE: readonly string[] = [];

/** The text of an error that a tool reported itself. */
function reportText(content: readonly MCPContentBlock[]): string {
  const text = content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
  return text === "" ? "The tool reported an error without a message" : text;
}

/** The error that a tool reported in its answer. */
function reportedFailure({ effect }: OperationSpec, { content }: MCPResponseMeta): CallError {
  const outcome = effect === "read" ? {} : ({ outcome: "unknown" } as const);
  return fail("UNKNOWN", reportText(content), outcome);
}

function asJson(spec: OperationSpec, data: unknown): ReturnType<typeof toJson> {
  try {
    return toJson(data);
  } catch (cause) {
    const why = thrownMessage(cause);
    const outcome = spec.effect === "read" ? {} : ({ outcome: "applied" } as const);
    throw fail(
      "UNKNOWN",
      `${spec.id} returned something that is not JSON: ${why}. Its handler must return plain data`,
      outcome,
      {
        cause,
      },
    );
  }
}

function routeMeta(call: Call): Pick<ResultMeta, "route_used" | "reason"> {
  const { routed } = call;
  if (routed === undefined) return { route_used: routeTaken(call), reason: "DEFAULT_POLICY" };
  // If a call ended before a route was chosen, the reason is the default one.
  const { routeUsed, reason = "DEFAULT_POLICY" } = routed;
  return routeUsed === undefined ? { reason } : { route_used: routeUsed, reason };
}

function ownAttempt(call: Call, error: CallError | undefined): AttemptMeta {
  const attempt = { route: routeTaken(call), duration_ms: roundMilliseconds(call.adapterElapsed) };
  return error === undefined
    ? { ...attempt, status: "success" }
    : { ...attempt, status: "error", error_code: agentErrorCode(error) };
}

/**
 * Every attempt and skip. The answer has them on request, on errors, and if there was more than
 * one.
 */
function getAttempts(call: Call, error: CallError | undefined): readonly AttemptMeta[] {
  const { routed, request } = call;
  if (routed !== undefined) {
    const isTold = request.isTraced === true || error !== undefined || routed.attempts.length > 1;
    return isTold ? routed.attempts : [];
  }
  const skipped = error && attemptOfUnavailable(error);
  if (skipped !== undefined) return [skipped];
  const isTold = request.isTraced === true || error !== undefined;
  return isTold && call.isDispatched ? [ownAttempt(call, error)] : [];
}

/** The token cost is counted later, when the answer has its final shape. */
function withTrace(result: ResultEnvelope, call: Call): ResultEnvelope {
  const { meta } = result;
  meta.timings = {
    total_ms: roundMilliseconds(call.elapsed),
    adapter_ms: roundMilliseconds(call.adapterElapsed),
  };
  const { routed } = call;
  meta.cost = {
    tokens_out: 0,
    ...(routed !== undefined && { upstream_requests: routed.upstreamRequests }),
    ...(routed?.rateLimitRemaining !== undefined && {
      rate_limit_remaining: routed.rateLimitRemaining,
    }),
  };
  return result;
}

/**
 * Picks the members by name, so that other members that a handler returns do not get into the
 * envelope.
 */
function resultInfo({ pagination, truncated, limits, next }: AnswerMeta): AnswerMeta {
  return {
    ...(pagination !== undefined && { pagination }),
    ...(truncated !== undefined && { truncated }),
    ...(limits !== undefined && { limits }),
    ...(next !== undefined && { next }),
  };
}

/** The response headers that the route marked as useful to callers. */
function publicHeaders({ meta }: ResponseEnvelope): Record<string, string> | undefined {
  if (meta.source !== "http" || meta.told === undefined) return undefined;
  const { headers, told } = meta;
  const found = told.filter((name) => Object.hasOwn(headers, name));
  return Object.fromEntries(found.map((name) => [name, headers[name]!]));
}

function success({ redactor }: Settings, call: Call, response: ResponseEnvelope): ResultEnvelope {
  const { spec } = call.entry!;
  const isTraced = call.request.isTraced === true;
  if (response.meta.source === "mcp" && response.meta.isError)
    throw reportedFailure(spec, response.meta);
  const json = asJson(spec, response.data);
  // Written without a spread, which is measurably slower for local calls.
  const meta: ResultMeta =
    call.routed === undefined
      ? { capability_id: spec.id, route_used: routeTaken(call), reason: "DEFAULT_POLICY" }
      : { capability_id: spec.id, ...routeMeta(call) };
  if (response.meta.source === "local" && response.meta.answer !== undefined) {
    Object.assign(meta, resultInfo(response.meta.answer));
  }
  const headers = publicHeaders(response);
  if (headers !== undefined) meta.headers = redactor.data(headers);
  if (call.pagination !== undefined) meta.pagination = call.pagination;
  const { warnings = NONE } = response.meta;
  const { warnings: own = NONE } = call;
  if (own.length > 0 || warnings.length > 0 || json.warnings.length > 0) {
    // Removes a warning that another process on the way has already added.
    const all = new Set([...own, ...warnings, ...json.warnings]);
    meta.warnings = [...all].map((text) => redactor.text(text));
  }
  if (spec.effect !== "read" || isTraced) meta.request_id = call.requestId;
  if (call.routed !== undefined || isTraced) {
    const attempts = getAttempts(call, undefined);
    if (attempts.length > 0) meta.attempts = attempts;
  }
  const data = redactor.knowsSecrets ? redactor.data(json.value) : json.value;
  const result: ResultEnvelope = { ok: true, data, error: null, meta };
  return isTraced ? withTrace(result, call) : result;
}

/** A copy of the error without secrets. The approval token is kept. */
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

/**
 * Whether a call whose operation is not known may have been a write. It was not if nothing can have
 * been sent.
 */
function mayBeWrite(error: CallError): boolean {
  const code = agentErrorCode(error);
  return code !== "NOT_FOUND" && code !== "VALIDATION";
}

/**
 * Whether the operation has routes. Reading `run` throws if the source no longer has the
 * operation. That is ignored here, because the error of the call already says so.
 */
function isRouted({ entry }: Call): boolean {
  try {
    return entry?.run?.kind === "routed";
  } catch {
    return false;
  }
}

export function failure(
  { redactor, registry }: Settings,
  call: Call,
  error: CallError,
): ResultEnvelope {
  const { spec } = call;
  const told = call.isDispatched ? error : withSignature(registry, error, spec);
  // The id of an unknown operation is the caller's text, which may contain a secret.
  const capability_id = spec?.id ?? redactor.text(call.operationId);
  const meta: ResultMeta = { capability_id, request_id: call.requestId };
  if (call.isDispatched) Object.assign(meta, routeMeta(call));
  else if (isRouted(call)) meta.reason = "DEFAULT_POLICY";
  const attempts = getAttempts(call, error);
  if (attempts.length > 0) meta.attempts = attempts;
  const { warnings = NONE } = call;
  if (warnings.length > 0) meta.warnings = warnings.map((text) => redactor.text(text));
  const resultError = toResultError(told, {
    requestId: call.requestId,
    isWrite: spec === undefined ? mayBeWrite(told) : spec.effect !== "read",
    // If the operation was not found, nothing was sent, so repeating the call is safe.
    isRepeatable: call.isRepeatable ?? (spec === undefined || isRepeatable(spec)),
  });
  const result = failureResult(redacted(resultError, redactor), meta);
  return call.request.isTraced === true ? withTrace(result, call) : result;
}

/** Builds the envelope of a finished call for its caller. */
export function answer(settings: Settings, call: Call): ResultEnvelope {
  const { result, response } = call;
  if (result !== undefined) return result;
  try {
    if (response !== undefined) return success(settings, call, response);
  } catch (thrown) {
    call.error = errorFromUnknown(thrown);
  }
  return failure(settings, call, call.error!);
}
