import { CallError, isSecretName } from "@waybill/core";

const REDACTED = "[redacted]";

/** Header or query values with those of secret-looking names taken out. */
export function redactValues(
  entries: Iterable<readonly [string, string]>,
): (readonly [string, string])[] {
  return Array.from(entries, ([name, value]) => [name, isSecretName(name) ? REDACTED : value]);
}

/** An upstream may repeat what it was sent, so its sentences are cleared of the token. */
export function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (!(error instanceof CallError) || secret === undefined) return error;
  if (!error.message.includes(secret)) return error;
  const message = error.message.replaceAll(secret, REDACTED);
  return new CallError(error.code, message, error.details, { cause: error.cause });
}
