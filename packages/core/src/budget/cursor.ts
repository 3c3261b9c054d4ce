import { CallError } from "../envelope/index.ts";

/** Where to continue reading a stored result. */
export interface ReadPosition {
  readonly path: string;
  /** Number of items or characters before this position, or after it if `isBack` is set. */
  readonly at: number;
  /** Whether to read from the end, as for logs. */
  readonly isBack: boolean;
  /** The token limit of each page, so that a caller with a small limit continues in small steps. */
  readonly tokens: number;
}

const CURSOR = /^(\d{9})\.([fb])(\d{1,15})\.(\d{1,9})\.([^]*)$/u;

const CHECK_DIGITS = 9;

/**
 * FNV-1a, which is enough to detect a changed cursor or one for another result. Its digits always
 * have the same number of tokens.
 */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return String((hash >>> 0) % 10 ** CHECK_DIGITS).padStart(CHECK_DIGITS, "0");
}

function seal(scope: string, body: string): string {
  return checksum(`${scope}\n${body}`);
}

/** Writes a cursor. The scope is the handle and the search text for which it is valid. */
export function formatCursor(scope: string, position: ReadPosition): string {
  const { path, at, isBack, tokens } = position;
  const body = `${isBack ? "b" : "f"}${at}.${tokens}.${path}`;
  return `${seal(scope, body)}.${body}`;
}

export function parseCursor(scope: string, cursor: string): ReadPosition {
  const [, check, direction, at, tokens, path] = CURSOR.exec(cursor) ?? [];
  if (check === undefined || check !== seal(scope, cursor.slice(check.length + 1))) {
    throw new CallError("VALIDATION_ERROR", "The cursor belongs to another handle or search", {
      issues: [{ path: "/cursor", message: "belongs to another handle or search" }],
      hint: "Pass a cursor unchanged with the same handle and search, or leave it out to start from the beginning",
    });
  }
  return { path: path!, at: Number(at), isBack: direction === "b", tokens: Number(tokens) };
}
