import { isRecord } from "@waybill/core/schema";
import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { currentEntry, entryState, serverInFile, startsThisCopy } from "./entry-format.ts";
import type { EntryFormat } from "./entry-format.ts";
import { addMember, removeMember, replaceValue } from "./json-edit.ts";
import { SERVER_NAME } from "./launcher.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";
import { assertSameRest } from "./assert-same-rest.ts";

/** Editors allow comments and trailing commas in these files. */
const READING = { allowTrailingComma: true, disallowComments: false };

/** The text without a byte order mark, at the same positions. */
function readable(text: string): string {
  return text.replace(/^\uFEFF/, " ");
}

function parseFile(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const file: unknown = parse(readable(text), errors, READING);
  const [error] = errors;
  if (error === undefined) return file;
  const line = text.slice(0, error.offset).split("\n").length;
  const why = `is not JSON (line ${line}: ${printParseErrorCode(error.error)})`;
  throw refuseFile(path, why, "Fix the file, then run this again");
}

/** The node at a path; undefined if the file has none. */
function nodeAt(text: string, at: readonly string[]): Node | undefined {
  const root = parseTree(readable(text), [], READING);
  return root && findNodeAtLocation(root, [...at]);
}

/** A parser uses the last of two members with one name, and an edit may change the first. */
function assertUnique({ path, key }: JsonList, text: string): void {
  const names = (nodeAt(text, [])?.children ?? []).map(({ children }) => children?.[0]?.value);
  if (names.filter((name) => name === key).length < 2) return;
  throw refuseFile(path, `has ${key} more than once`, "Merge these lists, then run this again");
}

interface ServerList {
  /** The keys that lead to the list. */
  readonly at: readonly string[];
  readonly servers: Readonly<Record<string, unknown>>;
}

/** The servers in the file, which must be an object if present. */
function serversIn(list: JsonList, text: string): ServerList {
  const { path, key, nested } = list;
  const file = parseFile(path, text);
  assertUnique(list, text);
  const servers = isRecord(file) ? (file[key] ?? {}) : undefined;
  if (!isRecord(servers)) {
    const where = isRecord(file) ? ` under ${key}` : "";
    throw refuseFile(
      path,
      `has something other than an object${where}`,
      "Make it an object, then run this again",
    );
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

/** Adds or replaces the entry, and creates the list of servers if there is none. */
function withEntry(text: string, { at }: ServerList, entry: unknown): string {
  const found = nodeAt(text, [...at, SERVER_NAME]);
  if (found !== undefined) return replaceValue(text, found, entry);
  const list = nodeAt(text, at);
  if (list?.type === "object") return addMember(text, list, SERVER_NAME, entry);
  const servers = { [SERVER_NAME]: entry };
  const [key = ""] = at;
  return list === undefined
    ? addMember(text, nodeAt(text, [])!, key, servers)
    : replaceValue(text, list, servers);
}

function withoutMember(text: string, at: readonly string[]): string {
  const member = nodeAt(text, at)?.parent;
  const object = member?.parent;
  return member && object ? removeMember(text, object, member) : text;
}

/**
 * Whether `setup` created the list of servers. If it did, the list is the last member of the file.
 */
function isOpenedForUs(text: string, key: string): boolean {
  const keys = Object.keys(parse(readable(text), [], READING) as object);
  return keys.length > 1 && keys.at(-1) === key;
}

/** Removes the entry, and the list of servers if nothing else is in it. */
function withoutEntry(text: string, at: readonly string[]): string {
  const after = withoutMember(text, [...at, SERVER_NAME]);
  const [key = "", ...deeper] = at;
  // `setup` never creates a nested list.
  if (deeper.length > 0) return after;
  const { offset = 0, length = 0 } = nodeAt(after, [key]) ?? {};
  const isBare = /^\{\s*\}$/u.test(after.slice(offset, offset + length));
  return isBare && isOpenedForUs(after, key) ? withoutMember(after, [key]) : after;
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
  const changed = (before: string, entry: unknown): string => {
    const servers = serversIn(list, before);
    const after =
      entry === undefined ? withoutEntry(before, servers.at) : withEntry(before, servers, entry);
    assertSameRest({ path, at: servers.at, before, after }, parseFile);
    return after;
  };
  const entryIn = (text: string): unknown =>
    text.trim() === "" ? undefined : serversIn(list, text).servers[SERVER_NAME];
  return {
    path,
    add(before = "") {
      const entry = entryIn(before);
      const state = entryState(format, entry);
      if (state === "foreign") throw refuseOtherServer(path);
      if (state === "edited" || startsThisCopy(format, entry, launcher)) return before;
      const current = currentEntry(format, entry, launcher);
      if (before.trim() === "") return wholeFile(key, current);
      return changed(before, current);
    },
    remove(before) {
      const entry = entryIn(before);
      if (entryState(format, entry) !== "ours") return before;
      return before === wholeFile(key, entry) ? undefined : changed(before, undefined);
    },
    keepsOwn(text) {
      return ["edited", "foreign"].includes(entryState(format, entryIn(text)));
    },
    server: (text) => serverInFile(format, entryIn(text)),
  };
}
