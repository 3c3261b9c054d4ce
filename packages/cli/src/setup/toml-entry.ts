import { isRecord } from "@waybill/core";
import { parse } from "smol-toml";
import { HASH, markedBlock } from "./marked-block.ts";
import { SERVER, SERVER_NAME, entryOf, isOurs, refuseFile, startsWaybill } from "./piece.ts";
import type { Piece } from "./piece.ts";

const CONTENT = [
  `[mcp_servers.${SERVER_NAME}]`,
  `command = ${JSON.stringify(SERVER.command)}`,
  `args = ${JSON.stringify(SERVER.args)}`,
].join("\n");

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}

function serversIn(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const { mcp_servers: servers } = parse(text);
    return isRecord(servers) ? servers : {};
  } catch (error) {
    const why = `is not TOML (${messageOf(error)})`;
    throw refuseFile(path, why, "Mend the file, then run this again");
  }
}

/** The entry of Waybill among the MCP servers of Codex. */
export function tomlEntry(path: string): Piece {
  const block = markedBlock(path, CONTENT, HASH);
  /** Somebody put more into the entry, or wrote one themselves. */
  const isKept = (text: string): boolean => {
    const entry = serversIn(path, text)[SERVER_NAME];
    return entry !== undefined && (!isOurs(entry) || block.remove(text) === text);
  };
  return {
    path,
    add(before = "") {
      if (startsWaybill(serversIn(path, before)[SERVER_NAME])) return before;
      const others = serversIn(path, block.remove(before) ?? "");
      if (Object.hasOwn(others, SERVER_NAME)) {
        throw refuseFile(path, "has a server called waybill already", "Rename or remove that one");
      }
      const after = block.add(before);
      serversIn(path, after);
      return after;
    },
    remove: (before) => (isKept(before) ? before : block.remove(before)),
    keepsOwn: isKept,
    server: (text) => entryOf(serversIn(path, text)[SERVER_NAME]),
  };
}
