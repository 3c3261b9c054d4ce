import { CallError, isSecretName } from "@waybill/core";

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

/** An upstream may repeat what it was sent, so its sentences are cleared of the token. */
export function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (!(error instanceof CallError) || secret === undefined || secret === "") return error;
  const message = error.message.replaceAll(secret, REDACTED);
  const body = withoutIn(error.details["body"], secret);
  if (message === error.message && body === error.details["body"]) return error;
  const details = body === undefined ? error.details : { ...error.details, body };
  return new CallError(error.code, message, details, { cause: error.cause });
}
