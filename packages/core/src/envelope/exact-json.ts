import { assertValueLimit, stringEnd } from "./value-limit.ts";
import { setOwn } from "./json.ts";
import type { Change } from "./response.ts";

/** A value read from JSON, with the positions of integers that are too large for a number. */
export interface ExactJson {
  /** The value. */
  readonly value: unknown;
  /** JSON pointers to the integers that are too large for a number (at most 1,000). */
  readonly integers: readonly string[];
}

const MANY_DIGITS = /\d{16}/;
/** An integer of 16 digits or more, which is not a part of another number. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const MAX_PATHS = 1_000;
const MAX_NAMED = 3;
const MAX_DEPTH = 1_000;

let mark: string | undefined;

/**
 * The prefix that marks large integers during parsing. It is random, so no input can contain it,
 * and short, because an answer may have a million integers.
 */
function integerMark(): string {
  mark ??= `digits-${globalThis.crypto.randomUUID().slice(-12)}_`;
  return mark;
}

/** Whether the digits are an integer that a JavaScript number cannot hold exactly. */
function isBeyond(digits: string): boolean {
  return digits.length > 17 || !Number.isSafeInteger(Number(digits));
}

/** Whether a string has the digits of an integer that a number cannot hold. */
export function isLargeInteger(text: string): boolean {
  return text.length >= 16 && /^-?[1-9]\d{15,}$/.test(text) && isBeyond(text);
}

/** Finds the strings of a JSON text from left to right, so that the text is read once. */
class Strings {
  readonly #text: string;
  #quote: number;

  constructor(text: string) {
    this.#text = text;
    this.#quote = text.indexOf('"');
  }

  /**
   * The end of the string around a position. A smaller number than the position if it is not in
   * a string.
   */
  endAround(position: number): number {
    let end = 0;
    while (this.#quote >= 0 && this.#quote < position) {
      end = stringEnd(this.#text, this.#quote);
      this.#quote = this.#text.indexOf('"', end);
    }
    return end;
  }
}

/**
 * Replaces integers that a number cannot hold by marked strings. Most JSON has no number with so
 * many digits and is returned unchanged after one scan. Throws if the text has more values than
 * the process can check in a short time.
 */
export function markIntegers(text: string): string {
  assertValueLimit(text);
  if (!MANY_DIGITS.test(text)) return text;
  const integers = new RegExp(LONG_INTEGER);
  const strings = new Strings(text);
  const pieces: string[] = [];
  let digits = "";
  let copied = 0;
  for (let found = integers.exec(text); found !== null; found = integers.exec(text)) {
    const end = strings.endAround(found.index);
    if (end > found.index) integers.lastIndex = end;
    else if (isBeyond(found[0])) {
      pieces.push(digits + text.slice(copied, found.index));
      digits = `${found[0]}"`;
      copied = integers.lastIndex;
    }
  }
  pieces.push(digits + text.slice(copied));
  return pieces.join(`"${integerMark()}`);
}

function pointerTo(path: readonly (string | number)[]): string {
  return path.map((key) => `/${`${key}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Replaces the strings that mark integers, in one value, with digits or numbers. */
class Unmarker {
  readonly integers: string[] = [];
  readonly #prefix: string;
  readonly #as: "digits" | "number";
  readonly #path: (string | number)[] = [];

  constructor(prefix: string, as: "digits" | "number") {
    this.#prefix = prefix;
    this.#as = as;
  }

  read(part: unknown): unknown {
    if (typeof part === "string") return part.startsWith(this.#prefix) ? this.#integer(part) : part;
    if (typeof part !== "object" || part === null || this.#path.length > MAX_DEPTH) return part;
    if (Array.isArray(part)) part.forEach((item, index) => this.#readMember(part, index, item));
    else for (const key of Object.keys(part)) this.#readMember(part, key, Reflect.get(part, key));
    return part;
  }

  #readMember(holder: object, key: string | number, member: unknown): void {
    this.#path.push(key);
    const read = this.read(member);
    if (read !== member) setOwn(holder as Record<string | number, unknown>, key, read);
    this.#path.pop();
  }

  #integer(marked: string): unknown {
    if (this.integers.length < MAX_PATHS) this.integers.push(pointerTo(this.#path));
    const digits = marked.slice(this.#prefix.length);
    return this.#as === "digits" ? digits : Number(digits);
  }
}

/** Replaces marked strings by their digits, or by the nearest numbers. */
export function unmarkIntegers(value: unknown, as: "digits" | "number" = "digits"): ExactJson {
  if (mark === undefined) return { value, integers: [] };
  const unmarker = new Unmarker(mark, as);
  return { value: unmarker.read(value), integers: unmarker.integers };
}

/** Parses JSON and keeps every digit: an integer beyond 2^53 becomes a string of its digits. */
export function parseExactJson(text: string): ExactJson {
  const marked = markIntegers(text);
  const value: unknown = JSON.parse(marked);
  return marked === text ? { value, integers: [] } : unmarkIntegers(value);
}

/** Marks an integer as a string, which `unquoteDigits` turns into a number in JSON text. */
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

/** The metadata of an answer that has integers too large for a number. */
export function exactIntegersMeta(integers: readonly string[]): {
  warnings?: readonly string[];
  changes?: readonly Change[];
} {
  if (integers.length === 0) return {};
  const named = integers.slice(0, MAX_NAMED).map((path) => path || "the whole");
  const least = integers.length < MAX_PATHS ? "" : "at least ";
  const others = integers.length - named.length;
  const more = others > 0 ? ` and ${least}${others} more` : "";
  return {
    warnings: [
      `These integers are above 2^53, so they are strings of digits: ${named.join(", ")}${more}`,
    ],
    changes: integers.map((path) => ({ path, edit: "exact" }) as const),
  };
}
