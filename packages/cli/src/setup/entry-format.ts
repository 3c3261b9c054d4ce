import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@waybill/core/schema";
import { SERVER_NAME, SERVE_BRIEF, isWrittenBySetup, splitWords } from "./launcher.ts";
import type { ServerInFile } from "./piece.ts";

/** How one agent writes a server entry. */
export interface EntryFormat {
  write(words: readonly string[]): Readonly<Record<string, unknown>>;
  /** The command of the entry; undefined if it has none. */
  read(entry: unknown): readonly string[] | undefined;
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function readWords(entry: unknown, commandKey: "command" | "cmd"): readonly string[] | undefined {
  if (!isRecord(entry)) return undefined;
  const { [commandKey]: command, args = [] } = entry;
  return typeof command === "string" && isStrings(args) ? [command, ...args] : undefined;
}

/** The format of Claude Code, Claude Desktop, Cursor, Codex, Windsurf, Zed and Cline. */
export const STANDARD: EntryFormat = {
  write: ([command, ...args]) => ({ command, args }),
  read: (entry) => readWords(entry, "command"),
};

export const VSCODE: EntryFormat = {
  write: ([command, ...args]) => ({ type: "stdio", command, args }),
  read: (entry) => readWords(entry, "command"),
};

export const COPILOT: EntryFormat = {
  write: ([command, ...args]) => ({ type: "local", command, args, tools: ["*"] }),
  read: (entry) => readWords(entry, "command"),
};

/**
 * Writes Gemini's default timeout of ten minutes explicitly. Without it, `gemini mcp list` waits
 * only 5 s for a server, and reports it as disconnected if npx has to download it or the machine is
 * busy.
 */
export const GEMINI: EntryFormat = {
  write: ([command, ...args]) => ({ command, args, timeout: 600_000 }),
  read: (entry) => readWords(entry, "command"),
};

/** Versions 1 and 2 of opencode both read this entry. */
export const OPENCODE: EntryFormat = {
  write: (words) => ({ type: "local", command: words }),
  read: (entry) => {
    const command = isRecord(entry) ? entry["command"] : undefined;
    return isStrings(command) ? command : undefined;
  },
};

export const GOOSE: EntryFormat = {
  write: ([cmd, ...args]) => ({
    enabled: true,
    type: "stdio",
    name: SERVER_NAME,
    description: "GitHub and every configured API",
    cmd,
    args,
    timeout: 300,
  }),
  read: (entry) => readWords(entry, "cmd"),
};

/**
 * `absent`: there is no entry. `ours`: written by `setup`. `edited`: starts Waybill, but the user
 * changed it. `foreign`: starts something else.
 */
export type EntryState = "absent" | "ours" | "edited" | "foreign";

/** Members that agents add when they write their file again, and that change nothing. */
const NEUTRAL: Readonly<Record<string, unknown>> = {
  type: "stdio",
  enabled: true,
  disabled: false,
};

function isNeutral(name: string, value: unknown): boolean {
  if (value === null || value === "") return true;
  const isEmpty = typeof value === "object" && Object.keys(value).length === 0;
  return isEmpty || (name in NEUTRAL && NEUTRAL[name] === value);
}

function isAsWritten(written: Readonly<Record<string, unknown>>, entry: object): boolean {
  const added = Object.entries(entry).filter(([name]) => !(name in written));
  const isKept = Object.entries(written).every(([name, value]) =>
    isDeepStrictEqual(Reflect.get(entry, name), value),
  );
  return isKept && added.every(([name, value]) => isNeutral(name, value));
}

export function entryState(format: EntryFormat, entry: unknown): EntryState {
  if (entry === undefined) return "absent";
  const words = format.read(entry);
  const split = words && splitWords(words);
  if (words === undefined || split === undefined || !isRecord(entry)) return "foreign";
  return isAsWritten(format.write(words), entry) && isWrittenBySetup(split) ? "ours" : "edited";
}

/** The words that start this copy of Waybill. Keeps the user's choice of full envelopes. */
function currentWords(
  format: EntryFormat,
  entry: unknown,
  launcher: readonly string[],
): readonly string[] {
  const rest = splitWords(format.read(entry) ?? [])?.rest ?? SERVE_BRIEF;
  return [...launcher, ...rest];
}

/** The entry that starts this copy of Waybill. */
export function currentEntry(
  format: EntryFormat,
  entry: unknown,
  launcher: readonly string[],
): Readonly<Record<string, unknown>> {
  return format.write(currentWords(format, entry, launcher));
}

export function startsThisCopy(
  format: EntryFormat,
  entry: unknown,
  launcher: readonly string[],
): boolean {
  return isDeepStrictEqual(format.read(entry), currentWords(format, entry, launcher));
}

export function serverInFile(format: EntryFormat, entry: unknown): ServerInFile | undefined {
  const words = format.read(entry);
  return words && { words, isWrittenBySetup: entryState(format, entry) === "ours" };
}
