import { isRecord } from "@waybill/core";
import { parse } from "smol-toml";
import { HASH, markedBlock } from "./marked-block.ts";
import { SERVER, SERVER_NAME, entryOf, refuseFile } from "./piece.ts";
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
  return {
    path,
    add(before = "") {
      const others = serversIn(path, block.remove(before) ?? "");
      if (Object.hasOwn(others, SERVER_NAME)) {
        throw refuseFile(path, "has a server called waybill already", "Rename or remove that one");
      }
      const after = block.add(before);
      serversIn(path, after);
      return after;
    },
    remove: (before) => block.remove(before),
    server: (text) => entryOf(serversIn(path, text)[SERVER_NAME]),
  };
}
