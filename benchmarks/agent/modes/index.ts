import type { Mode } from "../types.ts";
import { ghHelp, ghKnown, grep } from "./gh.ts";
import { githubMcp } from "./github-mcp.ts";
import { graphql } from "./graphql.ts";
import type { PlayMode } from "./mode.ts";
import { waybillMode } from "./waybill.ts";

export const playModes: Readonly<Record<Mode, PlayMode>> = {
  "mcp-lean": waybillMode("mcp", "lean"),
  "mcp-indexed": waybillMode("mcp", "indexed"),
  "command-lean": waybillMode("command", "lean"),
  "command-indexed": waybillMode("command", "indexed"),
  "gh-help": ghHelp,
  "gh-known": ghKnown,
  graphql,
  "github-mcp": githubMcp,
  grep,
};
