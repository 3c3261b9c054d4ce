import { isRecord } from "@waybill/core/schema";
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import { currentEntry, entryState, serverInFile } from "./entry-format.ts";
import type { EntryFormat } from "./entry-format.ts";
import { SERVER_NAME } from "./launcher.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";

/** Editors allow comments and trailing commas in these files. */
const READING = { allowTrailingComma: true, disallowComments: false };

function parseFile(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const file: unknown = parse(text, errors, READING);
  const [error] = errors;
  if (error === undefined) return file;
  const line = text.slice(0, error.offset).split("\n").length;
  const why = `is not JSON (line ${line}: ${printParseErrorCode(error.error)})`;
  throw refuseFile(path, why, "Fix the file, then run this again");
}

interface ServerList {
  /** The keys that lead to the list. */
  readonly at: readonly string[];
  readonly servers: Readonly<Record<string, unknown>>;
}

/** The servers in the file, which must be an object if present. */
function serversIn({ path, key, nested }: JsonList, text: string): ServerList {
  const file = parseFile(path, text);
  const servers = isRecord(file) ? (file[key] ?? {}) : undefined;
  if (!isRecord(servers)) {
    const why = `has something other than an object under ${key}`;
    throw refuseFile(path, why, "Make it an object, then run this again");
  }
  const inner = nested === undefined ? undefined : servers[nested];
  // With a command or a type, it is a server that has this name.
  const isList = isRecord(inner) && !("command" in inner || "type" in inner);
  // An entry that is already in the outer list stays there.
  const isOuter = isRecord(inner) && SERVER_NAME in servers && !(SERVER_NAME in inner);
  return isList && !isOuter && nested !== undefined
    ? { at: [key, nested], servers: inner }
    : { at: [key], servers };
}

function readIndent(text: string): { tabSize: number; insertSpaces: boolean; eol: string } {
  const [, white = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { tabSize: white.length, insertSpaces: !white.startsWith("\t"), eol };
}

function edited(text: string, at: readonly string[], value: unknown): string {
  const formattingOptions = readIndent(text);
  return applyEdits(text, modify(text, [...at], value, { formattingOptions }));
}

/**
 * Whether `setup` created the list of servers. If it did, the list is the last member of the file.
 */
function isOpenedForUs(text: string, key: string): boolean {
  const keys = Object.keys(parse(text, [], READING) as object);
  return keys.length > 1 && keys.at(-1) === key;
}

/** Removes the entry, and the list of servers if nothing else is in it. */
function withoutEntry(text: string, at: readonly string[]): string {
  const after = edited(text, [...at, SERVER_NAME], undefined);
  const [key = "", ...deeper] = at;
  // `setup` never creates a nested list.
  if (deeper.length > 0) return after;
  const { offset = 0, length = 0 } =
    findNodeAtLocation(parseTree(after, [], READING)!, [key]) ?? {};
  const isBare = /^\{\s*\}$/u.test(after.slice(offset, offset + length));
  return isBare && isOpenedForUs(after, key) ? edited(after, [key], undefined) : after;
}

export interface JsonList {
  readonly path: string;
  /** The member with the list of servers. */
  readonly key: "mcpServers" | "servers" | "context_servers" | "mcp";
  /** A member of that member which contains the list instead, if the file has it. */
  readonly nested?: "servers";
  readonly format: EntryFormat;
  readonly launcher: readonly string[];
}

/** The text of a file that contains only the entry. */
function wholeFile(key: string, entry: unknown): string {
  return `${JSON.stringify({ [key]: { [SERVER_NAME]: entry } }, null, 2)}\n`;
}

/** Waybill's entry among the MCP servers of a JSON file. */
export function jsonEntry(list: JsonList): Piece {
  const { path, key, format, launcher } = list;
  const entryIn = (text: string): unknown =>
    text.trim() === "" ? undefined : serversIn(list, text).servers[SERVER_NAME];
  return {
    path,
    add(before = "") {
      const entry = entryIn(before);
      const state = entryState(format, entry);
      if (state === "foreign") throw refuseOtherServer(path);
      if (state === "edited") return before;
      const current = currentEntry(format, entry, launcher);
      if (before.trim() === "") return wholeFile(key, current);
      if (JSON.stringify(entry) === JSON.stringify(current)) return before;
      return edited(before, [...serversIn(list, before).at, SERVER_NAME], current);
    },
    remove(before) {
      const entry = entryIn(before);
      if (entryState(format, entry) !== "ours") return before;
      return before === wholeFile(key, entry)
        ? undefined
        : withoutEntry(before, serversIn(list, before).at);
    },
    keepsOwn(text) {
      return ["edited", "foreign"].includes(entryState(format, entryIn(text)));
    },
    server: (text) => serverInFile(format, entryIn(text)),
  };
}
