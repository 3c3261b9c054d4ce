import { setOwn } from "./json.ts";
import type { Change } from "./response.ts";

/** A value read from JSON, with the positions of integers that are too large for a number. */
export interface ExactJson {
  /** The value. */
  readonly value: unknown;
  /** JSON pointers, at most as many as `MAX_PATHS`. */
  readonly integers: readonly string[];
}

const MANY_DIGITS = /\d{16}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
const MAX_PATHS = 1_000;
const MAX_NAMED = 3;
const MAX_DEPTH = 1_000;

let mark: string | undefined;

/**
 * Marks large integers during parsing. The mark is random, so no text from outside can contain it.
 */
function integerMark(): string {
  mark ??= `waybill-digits-${globalThis.crypto.randomUUID()}_`;
  return mark;
}

/** Whether digits are an integer that a number cannot hold exactly. */
function isBeyond(digits: string): boolean {
  return INTEGER.test(digits) && !Number.isSafeInteger(Number(digits));
}

/** Whether a string has the digits of such an integer. */
export function isLargeInteger(text: string): boolean {
  return MANY_DIGITS.test(text) && /^-?[1-9]\d*$/.test(text) && isBeyond(text);
}

function markedPart(part: string): string {
  return part.replaceAll(NUMBER, (digits) =>
    isBeyond(digits) ? `"${integerMark()}${digits}"` : digits,
  );
}

/**
 * The index after the string that starts at a quote. The end of the text if the string does not
 * end.
 */
function stringEnd(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (end > 0) {
    let slashes = end;
    while (text[slashes - 1] === "\\") slashes -= 1;
    if ((end - slashes) % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/**
 * The same JSON with integers that a number cannot hold replaced by marked strings. Most JSON has
 * no number with so many digits and is returned unchanged after one scan.
 */
export function markIntegers(text: string): string {
  if (!MANY_DIGITS.test(text)) return text;
  let marked = "";
  let at = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', at)) {
    const end = stringEnd(text, quote);
    marked += markedPart(text.slice(at, quote)) + text.slice(quote, end);
    at = end;
  }
  return marked + markedPart(text.slice(at));
}

function pointerTo(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Replaces marked strings by their digits, or by the nearest numbers. */
export function unmarkIntegers(value: unknown, as: "digits" | "number" = "digits"): ExactJson {
  const integers: string[] = [];
  const prefix = mark;
  if (prefix === undefined) return { value, integers };
  const path: string[] = [];
  const unmarked = (part: unknown): unknown => {
    if (typeof part === "string" && part.startsWith(prefix)) {
      if (integers.length < MAX_PATHS) integers.push(pointerTo(path));
      const digits = part.slice(prefix.length);
      return as === "digits" ? digits : Number(digits);
    }
    if (typeof part !== "object" || part === null || path.length > MAX_DEPTH) return part;
    for (const [key, member] of Object.entries(part)) {
      path.push(key);
      const inner = unmarked(member);
      if (inner !== member) setOwn(part as Record<string, unknown>, key, inner);
      path.pop();
    }
    return part;
  };
  return { value: unmarked(value), integers };
}

/** Parses JSON and keeps every digit: an integer beyond 2^53 becomes a string of its digits. */
export function parseExactJson(text: string): ExactJson {
  const marked = markIntegers(text);
  const value: unknown = JSON.parse(marked);
  return marked === text ? { value, integers: [] } : unmarkIntegers(value);
}

/** A marked string, which `unquoteDigits` turns into a number in JSON text. */
export function exactDigits(digits: string): string {
  return integerMark() + digits;
}

/** Removes the marks from JSON text, so that the digits become numbers. */
export function unquoteDigits(json: string): string {
  if (mark === undefined || !json.includes(mark)) return json;
  return json.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** Removes the marks from any other text. */
export function unmarkText(text: string): string {
  return mark === undefined ? text : text.replaceAll(mark, "");
}

/** The metadata of an answer with such integers. */
export function exactIntegersMeta(integers: readonly string[]): {
  warnings?: readonly string[];
  changes?: readonly Change[];
} {
  if (integers.length === 0) return {};
  const named = integers.slice(0, MAX_NAMED).map((path) => path || "the whole");
  const more = integers.length > named.length ? ` and ${integers.length - named.length} more` : "";
  return {
    warnings: [`Integers beyond 2^53 are strings of digits: ${named.join(", ")}${more}`],
    changes: integers.map((path) => ({ path, edit: "exact" }) as const),
  };
}
