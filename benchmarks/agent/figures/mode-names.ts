import { modes } from "../types.ts";
import type { Mode } from "../types.ts";

/** The name of each mode in tables and charts. */
export const MODE_NAMES: Readonly<Record<Mode, string>> = {
  "mcp-lean": "Waybill over MCP, lean skill",
  "mcp-indexed": "Waybill over MCP, indexed skill",
  "command-lean": "Waybill by command, lean skill",
  "command-indexed": "Waybill by command, indexed skill",
  "mcp-code": "Waybill over MCP, programs",
  "command-code": "Waybill by command, calls and programs",
  "gh-help": "gh, reading its help",
  "gh-known": "gh, knowing every flag",
  "gh-memory": "gh, from memory",
  "gh-current": "gh, current version (estimated)",
  "gh-axi": "gh-axi (estimated)",
  ghx: "ghx (estimated)",
  graphql: "GraphQL, reading types",
  "graphql-fields": "GraphQL, reading fields",
  "github-mcp": "GitHub's MCP server",
  "github-mcp-deferred": "GitHub's MCP server, tools deferred (estimated)",
  grep: "grep and cat",
};

export const WAYBILL_MODES = [
  "mcp-lean",
  "mcp-indexed",
  "command-lean",
  "command-indexed",
  "mcp-code",
  "command-code",
] as const satisfies readonly Mode[];

export const RIVAL_MODES: readonly Mode[] = modes.filter(
  (mode) => !WAYBILL_MODES.some((ours) => ours === mode),
);
