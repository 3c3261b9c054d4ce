import { isRecord } from "@waybill/core";
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import { SERVER, SERVER_NAME, entryOf, isOurs, refuseFile, startsWaybill } from "./piece.ts";
import type { Piece } from "./piece.ts";

/** Editors write comments and commas after the last item into these files. */
const READING = { allowTrailingComma: true, disallowComments: false };

/** What stands under the servers, which must be an object if it is there at all. */
function serversIn(path: string, key: string, text: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const file: unknown = parse(text, errors, READING);
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    const why = `is not JSON (line ${line}: ${printParseErrorCode(error.error)})`;
    throw refuseFile(path, why, "Mend the file, then run this again");
  }
  const servers = isRecord(file) ? (file[key] ?? {}) : undefined;
  if (isRecord(servers)) return servers;
  throw refuseFile(path, `has no object where ${key} should be`, "Mend the file first");
}

function indentOf(text: string): { tabSize: number; insertSpaces: boolean; eol: string } {
  const [, white = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { tabSize: white.length, insertSpaces: !white.startsWith("\t"), eol };
}

function edited(text: string, at: readonly string[], value: unknown): string {
  const formattingOptions = indentOf(text);
  return applyEdits(text, modify(text, [...at], value, { formattingOptions }));
}

/** A list of servers that was opened for the entry stands after everything else in the file. */
function isOpenedForUs(text: string, key: string): boolean {
  const keys = Object.keys(parse(text, [], READING) as object);
  return keys.length > 1 && keys.at(-1) === key;
}

/** Without the entry, and without the list if nothing else is in it that somebody wrote. */
function withoutEntry(text: string, key: string): string {
  const after = edited(text, [key, SERVER_NAME], undefined);
  const { offset = 0, length = 0 } =
    findNodeAtLocation(parseTree(after, [], READING)!, [key]) ?? {};
  const isBare = /^\{\s*\}$/u.test(after.slice(offset, offset + length));
  return isBare && isOpenedForUs(after, key) ? edited(after, [key], undefined) : after;
}

/** The entry of Waybill among the MCP servers of a JSON file, under the key that its program reads. */
export function jsonEntry(path: string, key: "mcpServers" | "servers"): Piece {
  const at = [key, SERVER_NAME];
  const fresh = `${JSON.stringify({ [key]: { [SERVER_NAME]: SERVER } }, null, 2)}\n`;
  return {
    path,
    add(before) {
      if (before === undefined || before.trim() === "") return fresh;
      const entry = serversIn(path, key, before)[SERVER_NAME];
      if (startsWaybill(entry)) return before;
      if (entry === undefined) return edited(before, at, SERVER);
      throw refuseFile(path, "has another server called waybill", "Rename or remove that one");
    },
    remove(before) {
      if (before === fresh) return undefined;
      const servers = before.trim() === "" ? {} : serversIn(path, key, before);
      return isOurs(servers[SERVER_NAME]) ? withoutEntry(before, key) : before;
    },
    keepsOwn(text) {
      const entry = text.trim() === "" ? undefined : serversIn(path, key, text)[SERVER_NAME];
      return entry !== undefined && !isOurs(entry);
    },
    server: (text) => entryOf(serversIn(path, key, text)[SERVER_NAME]),
  };
}
