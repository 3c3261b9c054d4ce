import { isUtf8 } from "node:buffer";
import { isSecretName } from "@waybill/core/cards";
import type { Redactor } from "@waybill/core";
import type { Answer } from "./failure.ts";
import { decodeText, isOtherCharset } from "./text.ts";

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

type Cleanable = Pick<Answer, "headers" | "body">;

/**
 * Removes secrets from a text in another charset, in whose bytes they look different, as in UTF-16.
 * A text that had one becomes UTF-8.
 */
function cleanText({ headers, body }: Cleanable, redactor: Redactor): Cleanable {
  const type = headers["content-type"] ?? "";
  if (!isOtherCharset(type)) return { headers, body };
  const text = decodeText(body, type);
  const clean = redactor.data(text);
  if (clean === text) return { headers, body };
  const plain = type.replaceAll(/;\s*charset\s*=\s*(?:"[^"]*"|[^;\s]*)/giu, "");
  return {
    headers: { ...headers, "content-type": `${plain}; charset=utf-8` },
    body: Buffer.from(clean),
  };
}

/** Removes secrets from a response, because an upstream may repeat what was sent to it. */
export function cleanAnswer<A extends Cleanable>(answer: A, redactor: Redactor | undefined): A {
  if (redactor === undefined) return answer;
  const body = cleanBytes(answer.body, redactor);
  const text = cleanText({ headers: answer.headers, body }, redactor);
  return { ...answer, ...text, headers: redactor.data(text.headers) };
}
