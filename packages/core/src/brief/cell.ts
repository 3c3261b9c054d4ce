/**
 * The line that separates two results of a chain. A cell with the same text is written in
 * quotes.
 */
export const SEPARATOR = "--";

/**
 * Matches text that a reader could mistake for a number, true, false, null, a list or an object.
 */
const LIKE_JSON = /^[\s\-\d"[{tfn]/u;
// oxlint-disable-next-line no-control-regex -- these break a line, a table or a terminal.
const BREAKS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\p{Surrogate}]/u;

function isJson(text: string): boolean {
  if (!LIKE_JSON.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a string can be written on a line unchanged and read back as the same string. */
export function isPlainLine(text: string): boolean {
  return (
    text !== "" &&
    text !== SEPARATOR &&
    text.trim() === text &&
    !text.startsWith("!") &&
    !BREAKS.test(text) &&
    !isJson(text)
  );
}

/**
 * Writes a string unchanged if it cannot be mistaken for another value. Every other value is
 * written as JSON.
 */
export function cellText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" && isPlainLine(value) ? value : JSON.stringify(value);
}

/**
 * The JSON string that a text starts with, still in quotes. Undefined if it does not start with
 * one. A regular expression would run out of stack in a string of several megabytes.
 */
export function quotedStart(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return text.slice(0, at + 1);
  }
  return undefined;
}

/** Reads the value that `cellText` wrote. Undefined for an empty cell. */
export function readCell(cell: string): unknown {
  if (cell === "") return undefined;
  if (!LIKE_JSON.test(cell)) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}
