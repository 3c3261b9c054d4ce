import type { Mode } from "../types.ts";
import { codeMode } from "./code.ts";
import { ghHelp, ghKnown, grep } from "./gh.ts";
import { ghAxi } from "./gh-axi.ts";
import { ghCurrent, ghMemory } from "./gh-others.ts";
import { ghx } from "./ghx.ts";
import { githubMcp, githubMcpDeferred } from "./github-mcp.ts";
import { graphqlMode } from "./graphql.ts";
import type { PlayMode } from "./mode.ts";
import { waybillMode } from "./waybill.ts";

export const playModes: Readonly<Record<Mode, PlayMode>> = {
  "mcp-lean": waybillMode("mcp", "lean"),
  "mcp-indexed": waybillMode("mcp", "indexed"),
  "command-lean": waybillMode("command", "lean"),
  "command-indexed": waybillMode("command", "indexed"),
  "mcp-code": codeMode("mcp"),
  "command-code": codeMode("command"),
  "gh-help": ghHelp,
  "gh-known": ghKnown,
  "gh-memory": ghMemory,
  "gh-current": ghCurrent,
  "gh-axi": ghAxi,
  ghx,
  graphql: graphqlMode("types"),
  "graphql-fields": graphqlMode("fields"),
  "github-mcp": githubMcp,
  "github-mcp-deferred": githubMcpDeferred,
  grep,
};
