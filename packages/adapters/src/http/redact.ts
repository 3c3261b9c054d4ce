import { CallError, isSecretName } from "@waybill/core";
import type { HttpResponse } from "./transport.ts";

const REDACTED = "[redacted]";

/** Header or query values with those of secret-looking names taken out. */
export function redactValues(
  entries: Iterable<readonly [string, string]>,
): (readonly [string, string])[] {
  return Array.from(entries, ([name, value]) => [name, isSecretName(name) ? REDACTED : value]);
}

function withoutIn(value: unknown, secret: string): unknown {
  if (value === undefined) return value;
  const text = JSON.stringify(value);
  const shown = JSON.stringify(secret).slice(1, -1);
  return text.includes(shown) ? (JSON.parse(text.replaceAll(shown, REDACTED)) as unknown) : value;
}

/** Shorter ones would be found in the middle of words. */
const MIN_SECRET = 6;

/** An upstream may repeat what it was sent in its answer, too. */
export function withoutEcho(response: HttpResponse, secret: string | undefined): HttpResponse {
  if (secret === undefined || secret.length < MIN_SECRET) return response;
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, value.replaceAll(secret, REDACTED)] as const,
  );
  const body = Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length);
  if (!body.includes(secret)) return { ...response, headers: Object.fromEntries(headers) };
  // A byte stays a character and comes back as the same byte, whatever text it belongs to.
  const clean = body.toString("latin1").replaceAll(secret, REDACTED);
  const cleanBody = Buffer.from(clean, "latin1");
  return { ...response, headers: Object.fromEntries(headers), body: cleanBody };
}

/** An upstream may repeat what it was sent, so its sentences are cleared of the token. */
export function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (!(error instanceof CallError) || secret === undefined || secret === "") return error;
  const message = error.message.replaceAll(secret, REDACTED);
  const body = withoutIn(error.details["body"], secret);
  if (message === error.message && body === error.details["body"]) return error;
  const details = body === undefined ? error.details : { ...error.details, body };
  return new CallError(error.code, message, details, { cause: error.cause });
}
