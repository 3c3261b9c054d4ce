import { isUtf8 } from "node:buffer";
import { isSecretName } from "@waybill/core/cards";
import type { Redactor } from "@waybill/core";
import type { Answer } from "./failure.ts";

const REDACTED = "[redacted]";

/** Header or query pairs, with the values removed whose names look secret. */
export function redactValues(
  entries: Iterable<readonly [string, string]>,
): (readonly [string, string])[] {
  return Array.from(entries, ([name, value]) => [name, isSecretName(name) ? REDACTED : value]);
}

/** The values of headers that only the upstream may see. */
export function secretHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
}

/**
 * Removes secrets from bytes. Bytes that are not UTF-8 are decoded one by one, so that they stay
 * the same.
 */
export function cleanBytes(bytes: Uint8Array, redactor: Redactor): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const encoding = isUtf8(buffer) ? "utf8" : "latin1";
  const text = buffer.toString(encoding);
  const clean = redactor.data(text);
  return clean === text ? bytes : Buffer.from(clean, encoding);
}

/** Removes secrets from a response, because an upstream may repeat what was sent to it. */
export function cleanAnswer<A extends Pick<Answer, "headers" | "body">>(
  answer: A,
  redactor: Redactor | undefined,
): A {
  if (redactor === undefined) return answer;
  const { headers, body } = answer;
  return { ...answer, headers: redactor.data(headers), body: cleanBytes(body, redactor) };
}
