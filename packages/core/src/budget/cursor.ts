import { CallError } from "../envelope/index.ts";

/** Where to continue reading a kept result. */
export interface ReadPosition {
  readonly path: string;
  /** Items or characters before it, or after it when reading back. */
  readonly at: number;
  /** Logs are read from their end. */
  readonly isBack: boolean;
  /** The token limit of each page, so that a caller with a small limit continues in small steps. */
  readonly tokens: number;
}

const CURSOR = /^([0-9a-z]{1,7})\.([fb])(\d{1,15})\.(\d{1,9})\.([^]*)$/u;

/** FNV-1a: enough to notice a cursor that was altered or belongs to something else. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

function seal(scope: string, body: string): string {
  return checksum(`${scope}\n${body}`);
}

/** The scope is what the cursor is good for: a handle, and what is searched for in it. */
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
