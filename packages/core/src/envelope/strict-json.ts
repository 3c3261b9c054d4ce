import { CallError, thrownMessage } from "./call-error.ts";
import { parseExactJson } from "./exact-json.ts";
import { stringEnd } from "./value-limit.ts";

/** Options of parseStrictJson. */
export interface StrictJsonOptions {
  /** The name of the text in messages (default: `The body`). */
  readonly what?: string;
  /** Maximum levels of nesting (default: 512). */
  readonly maxDepth?: number;
  /**
   * The top-level name that identifies the message. If the text is refused because it has that
   * name twice, the error details have `key_twice` (default: none).
   */
  readonly key?: string;
}

/**
 * The maximum nesting that core accepts. Recursive functions do not overflow the stack up to it.
 */
const MAX_DEPTH = 512;
const QUOTE = 34;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

function strictJsonError(message: string, details: object = {}): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied", ...details });
}

function isKey(text: string, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) <= 32) next += 1;
  return text.charCodeAt(next) === COLON;
}

interface Visitor {
  /**
   * Called for each name, in its quotes, with the depth of its object. The outermost object has
   * depth 1.
   */
  onName(quoted: string, depth: number): void;
  /** Called when an array or an object begins. */
  onOpen?(depth: number): void;
}

/** Visits the parts of JSON text that is known to be valid. */
function walk(text: string, visitor: Visitor): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (isKey(text, end)) visitor.onName(text.slice(at, end), depth);
      at = end - 1;
    } else if (code === OPEN || code === OPEN_LIST) {
      depth += 1;
      visitor.onOpen?.(depth);
    } else if (code === CLOSE || code === CLOSE_LIST) depth -= 1;
  }
}

/** The name without escapes, because two spellings may be the same name. */
function nameIn(quoted: string): string {
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function isTwiceAtTop(text: string, key: string): boolean {
  let count = 0;
  walk(text, {
    onName(quoted, depth) {
      if (depth === 1 && nameIn(quoted) === key) count += 1;
    },
  });
  return count > 1;
}

/** Finds problems that a JSON parser ignores. */
function inspect(text: string, maxDepth: number, refused: (problem: string) => CallError): void {
  const names: Set<string>[] = [];
  walk(text, {
    onName(quoted, depth) {
      const name = nameIn(quoted);
      const known = names[depth - 1]!;
      if (known.has(name)) throw refused(`has the name ${JSON.stringify(name.slice(0, 80))} twice`);
      known.add(name);
    },
    onOpen(depth) {
      if (depth > maxDepth) throw refused(`nests deeper than ${maxDepth} levels`);
      names[depth - 1] = new Set();
    },
  });
}

/**
 * Parses JSON that every parser reads the same way. A repeated name is refused, because an
 * earlier check may have used the other value. Nesting that is deep enough to crash the process
 * is refused too.
 */
export function parseStrictJson(
  text: string,
  { what = "The body", maxDepth = MAX_DEPTH, key }: StrictJsonOptions = {},
): unknown {
  let value: unknown;
  try {
    value = parseExactJson(text).value;
  } catch (error) {
    throw strictJsonError(`${what} is not JSON: ${thrownMessage(error)}`);
  }
  if (typeof value !== "object" || value === null) return value;
  inspect(text, maxDepth, (problem) => {
    const isKeyTwice = key !== undefined && isTwiceAtTop(text, key);
    return strictJsonError(`${what} ${problem}`, isKeyTwice ? { key_twice: true } : {});
  });
  return value;
}
