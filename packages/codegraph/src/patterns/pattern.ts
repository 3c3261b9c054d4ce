import { capturesIn } from "./captures.ts";
import { Matcher } from "./matcher.ts";
import { getProgram } from "./program.ts";
import { PatternReader } from "./syntax.ts";

/** A pattern for paths. */
export interface Pattern {
  readonly text: string;
  readonly matches: (path: string) => boolean;
  /** The captured text for a matching path; undefined for other paths. */
  readonly captures: (path: string) => readonly string[] | undefined;
}

const SPECIAL = /[*?[\]{}()|\\]/u;
/**
 * The characters that make a scope a glob. Parentheses and brackets do not, because they occur in
 * real paths: `app/(shop)/[id]/page.tsx`.
 */
const WILD = /[*?{]/u;

/** Compiles a glob; PatternReader describes the syntax. Throws for an invalid one. */
export function compilePattern(text: string): Pattern {
  const reader = new PatternReader(text);
  const program = getProgram(reader.read());
  const matcher = new Matcher(program);
  return {
    text,
    matches: (path) => matcher.matches(path),
    captures: (path) =>
      matcher.matches(path) ? capturesIn(program, path, reader.captures) : undefined,
  };
}

/** Whether a path is the folder or below it; `src/core/a.ts` is not within `src/co`. */
function isWithin(path: string, folder: string): boolean {
  if (folder === "" || path === folder) return true;
  return path.startsWith(folder) && path[folder.length] === "/";
}

function plainPath(text: string): string {
  return text
    .replace(/^(?:\.\/)+/u, "")
    .replace(/\/+$/u, "")
    .replace(/^\.$/u, "");
}

/** Compiles a path prefix of whole segments, or a glob. */
export function compileScope(text: string): Pattern {
  const folder = plainPath(text);
  const literal: Pattern = {
    text,
    matches: (path) => isWithin(path, folder),
    captures: (path) => (isWithin(path, folder) ? [] : undefined),
  };
  if (!SPECIAL.test(folder)) return literal;
  if (!WILD.test(folder)) return either(text, literal, optional(folder));
  return compilePattern(folder);
}

function optional(text: string): Pattern | undefined {
  try {
    return compilePattern(text);
  } catch {
    return undefined;
  }
}

function either(text: string, a: Pattern, b: Pattern | undefined): Pattern {
  return {
    text,
    matches: (path) => a.matches(path) || b?.matches(path) === true,
    captures: (path) => b?.captures(path) ?? a.captures(path),
  };
}

/** Escapes every special character. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[*?[\]{}()|\\]/gu, "\\$&");
}
