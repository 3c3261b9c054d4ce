import { ERROR_CODES, briefText, errorFromUnknown } from "@waybill/core";
import { failureResult, toResultError } from "@waybill/core/protocol";
import type { ResultEnvelope, ResultError } from "@waybill/core";
import { isWrongToken } from "./wrong-token.ts";

const JSON_TYPE = "application/json; charset=utf-8";

const JSON_HEADERS = { "content-type": JSON_TYPE };

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const all = status === 200 ? JSON_HEADERS : { ...JSON_HEADERS, ...headers };
  return new Response(JSON.stringify(value), { status, headers: all });
}

export function text(
  words: string,
  type = "text/plain; charset=utf-8",
  init: Omit<ResponseInit, "headers"> & { headers?: Record<string, string> } = {},
): Response {
  return new Response(words, { ...init, headers: { ...init.headers, "content-type": type } });
}

/** Whether the caller accepts text instead of JSON. */
export function wantsText(header: (name: string) => string | undefined): boolean {
  return header("accept")?.startsWith("text/plain") === true;
}

/** The header that tells the client that this server, and not an upstream, refused the token. */
export const OWN_CHALLENGE = 'Bearer realm="waybill"';

/** The error details that are also sent as an HTTP header. */
function headersFor({ code, details }: ResultError): Record<string, string> {
  if (code === "AUTH") return { "www-authenticate": "Bearer" };
  const wait = details?.["retry_after_ms"];
  return typeof wait === "number" ? { "retry-after": String(Math.ceil(wait / 1_000)) } : {};
}

/** The envelope, or its brief text, with the HTTP status of its error code. */
export function envelopeAnswer(
  envelope: ResultEnvelope,
  briefly?: (envelope: ResultEnvelope) => string,
): Response {
  const status = envelope.ok ? 200 : ERROR_CODES[envelope.error.code].http;
  const headers = envelope.ok ? {} : headersFor(envelope.error);
  return briefly === undefined
    ? json(envelope, status, headers)
    : text(briefly(envelope), undefined, { status, headers });
}

/** A request that failed before its call. */
export interface FailedRequest {
  readonly capability_id: string;
  readonly challenge?: string;
  /** Whether the client accepts text instead of JSON. */
  readonly isBrief: boolean;
}

/** Turns any failure outside a call into the envelope of a failed call, or its brief text. */
export function failureAnswer(
  thrown: unknown,
  { capability_id, challenge = OWN_CHALLENGE, isBrief }: FailedRequest,
): Response {
  const request_id = crypto.randomUUID();
  const facts = { requestId: request_id, isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  const envelope = failureResult(error, { capability_id, request_id });
  const answer = envelopeAnswer(envelope, isBrief ? briefText : undefined);
  if (isWrongToken(thrown)) answer.headers.set("www-authenticate", challenge);
  return answer;
}
