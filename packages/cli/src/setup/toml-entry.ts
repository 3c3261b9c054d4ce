import { isRecord } from "@waybill/core/schema";
import { parse } from "smol-toml";
import {
  STANDARD,
  currentEntry,
  entryState,
  serverInFile,
  startsThisCopy,
} from "./entry-format.ts";
import { SERVER_NAME } from "./launcher.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";
import { assertSameRest } from "./assert-same-rest.ts";
import { withSpan } from "./text-span.ts";
import type { Span } from "./text-span.ts";

const LIST = "mcp_servers";
const HEADER = /^[ \t]*\[mcp_servers\.waybill\][ \t]*(?=\r?$)/m;

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}

function parseFile(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    const why = `is not TOML (${firstLine(error)})`;
    throw refuseFile(path, why, "Fix the file, then run this again");
  }
}

function entryIn(path: string, text: string): unknown {
  const servers = parseFile(path, text)[LIST];
  return isRecord(servers) ? servers[SERVER_NAME] : undefined;
}

function table(entry: Readonly<Record<string, unknown>>, eol: string): string {
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [`[${LIST}.${SERVER_NAME}]`, ...lines].join(eol);
}

/**
 * The lines of Waybill's table, up to the next table, without the blank lines and comments before
 * that. No marks stand around it: Codex moves and deletes comments when it writes its file.
 */
function tableSpan(text: string): Span | undefined {
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const start = header.index;
  const body = text.slice(start + header[0].length);
  const next = /^[ \t]*\[/m.exec(body.slice(1));
  const lines = (next === null ? body : body.slice(0, next.index + 1)).split("\n");
  const last = lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  const content = lines
    .slice(0, last + 1)
    .join("\n")
    .replace(/\r$/, "");
  return { start, end: start + header[0].length + content.length };
}

/** Waybill's entry among the MCP servers of Codex. */
export function tomlEntry(path: string, launcher: readonly string[]): Piece {
  const changed = (before: string, content: string | undefined): string => {
    const after = withSpan(before, tableSpan(before), content);
    assertSameRest({ path, at: [LIST], before, after }, parseFile);
    return after;
  };
  /** The entry is not the one that `setup` writes, so the user wrote or changed it. */
  const isKept = (text: string): boolean => {
    const state = entryState(STANDARD, entryIn(path, text));
    return state !== "absent" && (state !== "ours" || tableSpan(text) === undefined);
  };
  return {
    path,
    add(before = "") {
      const entry = entryIn(path, before);
      if (entryState(STANDARD, entry) === "foreign") throw refuseOtherServer(path);
      if (isKept(before) || startsThisCopy(STANDARD, entry, launcher)) return before;
      const eol = before.includes("\r\n") ? "\r\n" : "\n";
      return changed(before, table(currentEntry(STANDARD, entry, launcher), eol));
    },
    remove(before) {
      if (isKept(before) || entryIn(path, before) === undefined) return before;
      const after = changed(before, undefined);
      return after === "" ? undefined : after;
    },
    keepsOwn: isKept,
    server: (text) => serverInFile(STANDARD, entryIn(path, text)),
  };
}
