import { fail } from "@waybill/core";
import type { ArgvItem } from "./manifest.ts";

type Params = Readonly<Record<string, unknown>>;

/**
 * Replaces `{name}` by an input, and `{name...}` by each value of a list. `{name?}` keeps the
 * word if the input is true and expands to nothing. If an input of a word, or of a group of
 * words, is not given, the word or group is omitted.
 */
const PLACEHOLDER = /\{([A-Za-z_][\w-]*)(\.\.\.|\?)?\}/g;

/** The inputs that a command line uses. */
export function placeholderNames(argv: readonly ArgvItem[]): string[] {
  const found = argv.flat().flatMap((word) => [...word.matchAll(PLACEHOLDER)]);
  return [...new Set(found.map(([, name = ""]) => name))];
}

function invalidArgument(name: string, message: string): Error {
  const issues = [{ path: `/${name}`, message }];
  return fail("VALIDATION", `${name} ${message}`, { issues, outcome: "not_applied" });
}

function argumentText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalidArgument(name, "must be a string or a number to go on a command line");
}

function isGiven(word: string, params: Params): boolean {
  return [...word.matchAll(PLACEHOLDER)].every(([, name = "", mark]) => {
    const value = params[name];
    return mark === "?" ? value === true : value !== undefined && value !== null;
  });
}

/**
 * Matches placeholders such as `{merges?}` at the start of a word. They expand to nothing, so
 * `{merges?}--merges` means the same as `--merges{merges?}`.
 */
const QUESTIONS_FIRST = /^(?:\{[A-Za-z_][\w-]*\?\})+/;

/** Refuses a value that could be read as a flag. */
function guardedArgument(
  word: string,
  filled: string,
  name: string,
  isAfterDashes: boolean,
): string {
  const isExposed = word.replace(QUESTIONS_FIRST, "").startsWith("{") && !isAfterDashes;
  if (!isExposed || !filled.startsWith("-")) return filled;
  throw invalidArgument(
    name,
    'must not begin with "-", because the program would read it as a flag',
  );
}

function fill(word: string, params: Params, isAfterDashes: boolean): string[] {
  const spread = [...word.matchAll(PLACEHOLDER)].find(([, , mark]) => mark === "...")?.[1];
  const given = spread === undefined ? [undefined] : params[spread];
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  return values.map((each) => {
    let last = "";
    const filled = word.replaceAll(PLACEHOLDER, (_all, name: string, mark?: string) => {
      last = name;
      return mark === "?" ? "" : argumentText(name, mark === undefined ? params[name] : each);
    });
    return guardedArgument(word, filled, last, isAfterDashes);
  });
}

/** Fills the inputs into the words of a command line. */
export function fillArgv(argv: readonly ArgvItem[], params: Params): string[] {
  const words: string[] = [];
  let isAfterDashes = false;
  for (const item of argv) {
    const group = typeof item === "string" ? [item] : item;
    if (!group.every((word) => isGiven(word, params))) continue;
    for (const word of group) {
      words.push(...fill(word, params, isAfterDashes));
      isAfterDashes ||= word === "--";
    }
  }
  return words;
}
