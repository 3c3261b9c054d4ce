import { CallError } from "./call-error.ts";

export interface StrictJsonOptions {
  /** What the text is, at the head of a sentence about it; `The body` unless told. */
  readonly what?: string;
  /** How deep it may be nested; as deep as core takes a value unless told. */
  readonly maxDepth?: number;
}

/** As deep as core takes a value; what walks a value recursively is safe up to here. */
const MAX_DEPTH = 512;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

function refuse(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

/** Past the string that begins at a quote. */
function stringEnd(text: string, quote: number): number {
  let end = quote + 1;
  for (let code = text.charCodeAt(end); code !== QUOTE; code = text.charCodeAt(end)) {
    end += code === BACKSLASH ? 2 : 1;
  }
  return end + 1;
}

function isKey(text: string, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) <= 32) next += 1;
  return text.charCodeAt(next) === COLON;
}

/** Walks JSON that is known to be valid, and looks at what a parser passes over in silence. */
function inspect(text: string, what: string, maxDepth: number): void {
  const names: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (isKey(text, end)) addName(names.at(-1)!, text.slice(at, end), what);
      at = end - 1;
    } else if (code === OPEN || code === OPEN_LIST) {
      if (names.length >= maxDepth) throw refuse(`${what} nests deeper than ${maxDepth} levels`);
      names.push(new Set());
    } else if (code === CLOSE || code === CLOSE_LIST) names.pop();
  }
}

function addName(names: Set<string>, quoted: string, what: string): void {
  // Written differently, a name is still the same.
  const name = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (names.has(name)) {
    throw refuse(`${what} has the name ${JSON.stringify(name.slice(0, 80))} twice`);
  }
  names.add(name);
}

/**
 * JSON, and nothing that two readers could understand in two ways: a name that comes twice is
 * refused, since whoever looked before may have seen the other value. So is what is nested so deep
 * that it could end the process.
 */
export function parseStrictJson(
  text: string,
  { what = "The body", maxDepth = MAX_DEPTH }: StrictJsonOptions = {},
): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    throw refuse(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === "object" && value !== null) inspect(text, what, maxDepth);
  return value;
}
