import type { Command } from "../command.ts";
import { PRETTY, BRIEF, GRAPH_ROOT } from "./options.ts";

/** Commands about a code base. */
export const GRAPH_COMMANDS: readonly Command[] = [
  {
    name: "graph",
    summary: "Ask about a code base: structure, dependencies, problems",
    usage: "<tool> [key=value …]",
    options: {
      args: { value: "JSON|-|@FILE", help: "The tool's inputs as JSON" },
      since: { value: "REV", help: "The same as since=REV" },
      root: GRAPH_ROOT,
      prefix: { value: "TEXT", help: "Prefix for tool names, such as ouroborosai_" },
      brief: BRIEF,
      pretty: PRETTY,
    },
    flagHint: "Inputs are written key=value, without dashes",
    notes: [
      "waybill graph digest needs no inputs. A target is a path, path#symbol or a symbol's name. A symbol",
      "can replace a position. since is a git revision, staged or working.",
      "For a list, x[], write x=a x=b.",
      "graph export draws the graph, graph watch keeps it up to date; both have their own help.",
    ],
    details: async () => (await import("../commands/graph-signatures.ts")).graphSignatures(),
    load: () => import("../commands/graph.ts"),
  },
  {
    name: "graph export",
    summary: "Export the code graph as a picture or as data",
    usage: "",
    options: {
      format: { value: "FORMAT", help: "mermaid, dot, svg or json (default: mermaid)" },
      level: {
        value: "file|folder",
        help: "Draw files or folders (default: folders if there are many files)",
      },
      scope: { value: "PATH", help: "Show only files below this path, or that match this glob" },
      "max-nodes": { value: "N", help: "Show at most N boxes (default: 120)" },
      root: GRAPH_ROOT,
    },
    load: () => import("../commands/graph-export.ts"),
  },
  {
    name: "graph watch",
    summary: "Keep the code graph up to date and print changes, until interrupted",
    usage: "",
    options: { root: GRAPH_ROOT },
    load: () => import("../commands/graph-watch.ts"),
  },
];
