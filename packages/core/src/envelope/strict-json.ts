import { CallError } from "./call-error.ts";

function refuse(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

/** Past the string that begins at a quote. */
function stringEnd(text: string, quote: number): number {
  let end = quote + 1;
  while (text.charCodeAt(end) !== 34) end += text.charCodeAt(end) === 92 ? 2 : 1;
  return end + 1;
}

const QUOTE = 34;
const COLON = 58;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

function isKey(text: string, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) <= 32) next += 1;
  return text.charCodeAt(next) === COLON;
}

/** Walks JSON that is known to be valid, and looks at what a parser passes over in silence. */
function inspect(text: string, maxDepth: number): void {
  const names: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (OPENING.has(code)) {
      if (names.length >= maxDepth) throw refuse(`is nested more than ${maxDepth} deep`);
      names.push(new Set());
    } else if (CLOSING.has(code)) names.pop();
    else if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (isKey(text, end)) addName(names.at(-1)!, text.slice(at, end));
      at = end - 1;
    }
  }
}

function addName(names: Set<string>, quoted: string): void {
  // Written differently, a name is still the same.
  const name = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (names.has(name)) throw refuse(`has the name ${JSON.stringify(name.slice(0, 80))} twice`);
  names.add(name);
}

/**
 * JSON, and nothing that two readers could understand in two ways: a name that comes twice is
 * refused, since whoever looked before may have seen the other value. So is what is nested so deep
 * that it could end the process. The message says what is wrong; the caller knows with what.
 */
export function parseStrictJson(text: string, maxDepth = 1_000): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    throw refuse(`is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === "object" && value !== null) inspect(text, maxDepth);
  return value;
}
