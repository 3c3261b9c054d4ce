import { isUtf8 } from "node:buffer";
import { isSecretName } from "@waybill/core/cards";
import type { Redactor } from "@waybill/core";
import type { Answer } from "./failure.ts";

const REDACTED = "[redacted]";

/** Header or query values with those of secret-looking names removed. */
export function redactValues(
  entries: Iterable<readonly [string, string]>,
): (readonly [string, string])[] {
  return Array.from(entries, ([name, value]) => [name, isSecretName(name) ? REDACTED : value]);
}

/** Values of headers that are meant for the upstream alone. */
export function secretHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
}

/** Bytes that are no UTF-8 become characters one by one, and come back as the same bytes. */
export function cleanBytes(bytes: Uint8Array, redactor: Redactor): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const encoding = isUtf8(buffer) ? "utf8" : "latin1";
  const text = buffer.toString(encoding);
  const clean = redactor.data(text);
  return clean === text ? bytes : Buffer.from(clean, encoding);
}

/** An upstream may repeat what it was sent. */
export function cleanAnswer<A extends Pick<Answer, "headers" | "body">>(
  answer: A,
  redactor: Redactor | undefined,
): A {
  if (redactor === undefined) return answer;
  const { headers, body } = answer;
  return { ...answer, headers: redactor.data(headers), body: cleanBytes(body, redactor) };
}
