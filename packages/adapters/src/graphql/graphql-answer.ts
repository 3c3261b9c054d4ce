import { fail, httpEnvelope, isCallError } from "@waybill/core";
import { graphqlFailure } from "@waybill/core/cards";
import { exactIntegersMeta, isRecord, markIntegers, unmarkIntegers } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import type { FieldError, RouteAnswer } from "@waybill/core/cards";
import { replacedBytesNote } from "../http/index.ts";
import type { HttpResponse } from "../http/index.ts";
import type { UpstreamError } from "./documents-merge.ts";

const MAX_ERRORS = 8;
const MAX_SHOWN = 8_000;

/** A parsed GraphQL response: data, errors, or both. */
export interface GraphqlBody {
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly UpstreamError[];
}

function isKey(key: unknown): key is string | number {
  return typeof key === "string" || typeof key === "number";
}

function readGraphqlError(error: Record<string, unknown>): UpstreamError {
  const { message, path } = error;
  return {
    ...error,
    message: typeof message === "string" ? message : "no message",
    path: Array.isArray(path) ? path.filter(isKey) : undefined,
  };
}

/** Reads the parsed body of a response. Undefined if it is not from a GraphQL server. */
export function readGraphql(body: unknown): GraphqlBody | undefined {
  const data = isRecord(body) ? body["data"] : undefined;
  const listed = isRecord(body) ? body["errors"] : undefined;
  const errors = (Array.isArray(listed) ? listed : []).filter(isRecord).map(readGraphqlError);
  const hasData = isRecord(data) || (data === null && errors.length > 0);
  if (!hasData && errors.length === 0) return undefined;
  return { data: isRecord(data) || data === null ? data : undefined, errors };
}

/** The data of one operation, and the reason for each part that is not available. */
export interface GraphqlFields {
  readonly data: GraphqlBody["data"];
  readonly warnings: readonly string[];
  readonly fieldErrors: readonly FieldError[];
}

/** Whether a root field has a value. Then the operation ran, and the answer is useful. */
function hasValue(data: GraphqlBody["data"]): boolean {
  return Object.values(data ?? {}).some((value) => value !== null && value !== undefined);
}

function getWarning({ message, path = [] }: UpstreamError): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

/** Returns the data. If there are only errors, throws the error that `explain` makes of them. */
export function rootFields(
  { data, errors }: GraphqlBody,
  explain: (errors: readonly UpstreamError[], hasData: boolean) => CallError,
): GraphqlFields {
  if (errors.length > 0 && !hasValue(data)) throw explain(errors, data !== undefined);
  const fieldErrors = errors.flatMap((error) => {
    const { path = [] } = error;
    return path.length === 0 ? [] : [{ path, error: explain([error], true) }];
  });
  return { data, warnings: errors.map(getWarning), fieldErrors };
}

/**
 * Whether a body may come from another server on the way, such as a web page. Any other body is
 * the upstream's own answer, and a retry would not change it.
 */
function notGraphql({ status, headers }: HttpResponse, cause?: unknown): CallError {
  const message = `The upstream answered ${status} with something that is not a GraphQL response. Check the address of the endpoint`;
  const isPage = /\bhtml\b/iu.test(headers["content-type"] ?? "");
  const final = isPage ? {} : { final: true };
  return fail("SERVER", message, { status, outcome: "unknown", ...final }, { cause });
}

/**
 * Keeps the marks of large integers, because each part of a merged answer reports its own
 * positions.
 */
function parseResponse(response: HttpResponse): unknown {
  try {
    return JSON.parse(markIntegers(new TextDecoder().decode(response.body)));
  } catch (cause) {
    if (isCallError(cause)) throw cause.with({ status: response.status, outcome: "unknown" });
    throw notGraphql(response, cause);
  }
}

export function readBody(response: HttpResponse): GraphqlBody {
  const body = readGraphql(parseResponse(response));
  if (body === undefined) throw notGraphql(response);
  return body;
}

/** The original errors, if they contain more than their messages and are short. */
function shownErrors(given: readonly UpstreamError[]): { errors?: unknown } {
  const { value } = unmarkIntegers(given.slice(0, MAX_ERRORS).map((error) => ({ ...error })));
  const errors = (value as UpstreamError[]).map(({ message, path, extensions }) => ({
    message,
    ...(path !== undefined && { path }),
    ...(isRecord(extensions) && { extensions }),
  }));
  const isMore = errors.some(({ extensions }) => Object.keys(extensions ?? {}).length > 0);
  return isMore && JSON.stringify(errors).length <= MAX_SHOWN ? { errors } : {};
}

/** Converts the errors of one operation to a CallError. */
export function failureFrom(
  errors: readonly UpstreamError[],
  hasData: boolean,
  response: HttpResponse,
): CallError {
  const { code, outcome, message, retry_after_ms, limited } = graphqlFailure(
    errors,
    hasData,
    response.headers,
  );
  // If a second attempt is refused, the first one may still have been applied.
  const isOpen = response.isRepeat === true && outcome === "not_applied";
  return fail(code, message, {
    outcome: isOpen ? "unknown" : outcome,
    status: response.status,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
    ...(limited !== undefined && { limited }),
    ...shownErrors(errors),
  });
}

/**
 * The error for a part that has no error of its own, if another part's failure removed all data.
 */
export function lostWith(errors: readonly UpstreamError[], response: HttpResponse): CallError {
  const { message } = graphqlFailure(errors, true, response.headers);
  return fail("SERVER", `The response has no data for this call: ${message}`, {
    outcome: "unknown",
    status: response.status,
  });
}

/**
 * Reads the answer of one operation: its data, with a warning for each missing part. Throws its
 * failure.
 */
export function answerFrom(
  step: GraphqlBody,
  response: HttpResponse,
  requests: number,
): RouteAnswer {
  const fields = rootFields(step, (errors, hasData) => failureFrom(errors, hasData, response));
  const { status: statusCode, headers, rateLimitRemaining, serverDate } = response;
  const contentType = headers["content-type"] ?? "";
  const { value: data, integers } = unmarkIntegers(fields.data);
  const exact = exactIntegersMeta(integers);
  const { meta } = httpEnvelope(data, { statusCode, headers: { ...headers }, contentType });
  const { fieldErrors } = fields;
  const notes = replacedBytesNote(response.body, contentType);
  const warnings = [...fields.warnings, ...(exact.warnings ?? []), ...notes];
  return {
    response: { data, meta: { ...meta, ...exact, ...(warnings.length > 0 && { warnings }) } },
    upstreamRequests: requests,
    // In a merged document, the bytes and the request are counted for the first part.
    rawBytes: requests === 0 ? 0 : response.body.length,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(serverDate !== undefined && { serverDate }),
    ...(fieldErrors.length > 0 && { fieldErrors }),
  };
}
