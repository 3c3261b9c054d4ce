import { fail, graphqlFailure, httpEnvelope, isRecord } from "@waybill/core";
import type { CallError, RouteAnswer } from "@waybill/core";
import type { HttpResponse } from "../http/index.ts";
import type { StepAnswer, UpstreamError } from "./documents-merge.ts";

/** A GraphQL answer as it came: data, errors, or both. */
export interface GraphqlBody {
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly UpstreamError[];
}

function notGraphql(status: number, cause?: unknown): CallError {
  const message = `The upstream answered ${status} with something that is not a GraphQL answer`;
  return fail("SERVER", message, { status, outcome: "unknown" }, { cause });
}

function parse(response: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(response.body));
  } catch (cause) {
    throw notGraphql(response.status, cause);
  }
}

export function readBody(response: HttpResponse): GraphqlBody {
  const body = parse(response);
  const data = isRecord(body) ? body["data"] : undefined;
  const listed = isRecord(body) ? body["errors"] : undefined;
  const errors = (Array.isArray(listed)
    ? listed.filter(isRecord)
    : []) as unknown as UpstreamError[];
  const hasData = isRecord(data) || (data === null && errors.length > 0);
  if (!hasData && errors.length === 0) throw notGraphql(response.status);
  return { data: isRecord(data) || data === null ? data : undefined, errors };
}

/** The errors of one operation as the failure they are. */
export function failureFrom(
  errors: readonly UpstreamError[],
  hasData: boolean,
  response: HttpResponse,
): CallError {
  const { code, outcome, message, retry_after_ms } = graphqlFailure(
    errors,
    hasData,
    response.headers,
  );
  // What a first sending may have done is not undone by a refusal of the second.
  const isOpen = response.isRepeat === true && outcome === "not_applied";
  return fail(code, message, {
    outcome: isOpen ? "unknown" : outcome,
    status: response.status,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  });
}

/** A root field that came back with something in it, so that the answer is worth having. */
function hasValue(data: Record<string, unknown> | null | undefined): boolean {
  return Object.values(data ?? {}).some((value) => value !== null && value !== undefined);
}

/** A part without an answer of its own: another part's failure took the whole data with it. */
export function lostWith(errors: readonly UpstreamError[], response: HttpResponse): CallError {
  const { message } = graphqlFailure(errors, true, response.headers);
  return fail("SERVER", `Nothing came back for this part: ${message}`, {
    outcome: "unknown",
    status: response.status,
  });
}

function warningOf({ message, path }: UpstreamError): string {
  return path === undefined ? message : `${path.join(".")}: ${message}`;
}

/** One operation's answer: its data, what could not be had as warnings; or its failure, thrown. */
export function answerFrom(
  step: StepAnswer | GraphqlBody,
  response: HttpResponse,
  requests: number,
): RouteAnswer {
  if (step.errors.length > 0 && !hasValue(step.data)) {
    throw failureFrom(step.errors, step.data !== undefined, response);
  }
  const { status: statusCode, headers, rateLimitRemaining, serverDate } = response;
  const contentType = headers["content-type"] ?? "";
  const envelope = httpEnvelope(step.data, { statusCode, headers: { ...headers }, contentType });
  const warnings = step.errors.map(warningOf);
  const meta = warnings.length === 0 ? envelope.meta : { ...envelope.meta, warnings };
  return {
    response: { data: envelope.data, meta },
    upstreamRequests: requests,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(serverDate !== undefined && { serverDate }),
  };
}
