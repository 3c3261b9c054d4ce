import { isRecord } from "@waybill/core";
import { applyEdits, modify, parse, printParseErrorCode } from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import { SERVER, SERVER_NAME, entryOf, refuseFile } from "./piece.ts";
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

function isOurs(entry: unknown): boolean {
  return JSON.stringify(entry) === JSON.stringify(SERVER);
}

/** With what a user added, such as variables or more arguments, it is still this server. */
function startsWaybill(entry: unknown): boolean {
  if (!isRecord(entry) || entry["command"] !== SERVER.command) return false;
  const args = entry["args"];
  return Array.isArray(args) && SERVER.args.every((word, at) => args[at] === word);
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
      return isOurs(servers[SERVER_NAME]) ? edited(before, at, undefined) : before;
    },
    server: (text) => entryOf(serversIn(path, key, text)[SERVER_NAME]),
  };
}
