import { isRecord } from "@waybill/core/schema";
import { parse } from "smol-toml";
import { STANDARD, currentEntry, entryState, serverInFile } from "./entry-format.ts";
import { SERVER_NAME } from "./launcher.ts";
import { HASH, markedBlock } from "./marked-block.ts";
import { refuseFile, refuseOtherServer } from "./piece.ts";
import type { Piece } from "./piece.ts";

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}

function serversIn(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const { mcp_servers: servers } = parse(text);
    return isRecord(servers) ? servers : {};
  } catch (error) {
    const why = `is not TOML (${firstLine(error)})`;
    throw refuseFile(path, why, "Fix the file, then run this again");
  }
}

function table(entry: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [`[mcp_servers.${SERVER_NAME}]`, ...lines].join("\n");
}

/** Waybill's entry among the MCP servers of Codex. */
export function tomlEntry(path: string, launcher: readonly string[]): Piece {
  const blockWith = (entry: unknown): Piece =>
    markedBlock(path, table(currentEntry(STANDARD, entry, launcher)), HASH);
  const withoutBlock = (text: string): string => blockWith(undefined).remove(text) ?? "";
  /** The entry is not the one that `setup` writes, so the user wrote or changed it. */
  const isKept = (text: string): boolean => {
    const state = entryState(STANDARD, serversIn(path, text)[SERVER_NAME]);
    return state !== "absent" && (state !== "ours" || withoutBlock(text) === text);
  };
  return {
    path,
    add(before = "") {
      const entry = serversIn(path, before)[SERVER_NAME];
      const isOutside = Object.hasOwn(serversIn(path, withoutBlock(before)), SERVER_NAME);
      if (entryState(STANDARD, entry) === "foreign") throw refuseOtherServer(path);
      if (isOutside || entryState(STANDARD, entry) === "edited") return before;
      const after = blockWith(entry).add(before);
      serversIn(path, after);
      return after;
    },
    remove: (before) => (isKept(before) ? before : blockWith(undefined).remove(before)),
    keepsOwn: isKept,
    server: (text) => serverInFile(STANDARD, serversIn(path, text)[SERVER_NAME]),
  };
}
