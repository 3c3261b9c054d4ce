import type { Command, OptionSpec } from "../command.ts";
import { BRIEF, GRAPH_ROOT, ASKED_ROOT } from "./options.ts";

const SERVED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: the code base (default: none for callers)",
};
const AUDIT: OptionSpec = {
  value: "FILE",
  help: "Record who calls what, a line of JSON for each call",
};
const SERVED_TOOLS: Readonly<Record<string, OptionSpec>> = {
  prefix: { value: "TEXT", help: "MCP: before the names of graph tools, such as ouroborosai_" },
  tools: {
    value: "IDS",
    help: "MCP: these as tools too, such as issue.*,graph.*; code or graph alone",
  },
  "max-tokens": { value: "N", help: "MCP: keep answers within N tokens (default: 10000)" },
  structured: {
    help: "MCP: --tools also answer with structured content, for clients that need it",
  },
  root: ASKED_ROOT,
};

/** Commands that answer other programs until they are stopped. */
export const SERVE_COMMANDS: readonly Command[] = [
  {
    name: "inspect",
    summary: "A page that shows every call as it is made, and what there is to call",
    usage: "",
    options: {
      port: { value: "N", help: "Listen on this port of 127.0.0.1; a free one if not given" },
      root: GRAPH_ROOT,
      "no-open": { help: "Only print the address; open no browser" },
    },
    notes: [
      "It shows what serve and run --record keep, and what is called from the page. Its",
      "address holds a token of this run: everybody who has it can look and call, and nobody else.",
    ],
    load: () => import("../commands/inspect.ts"),
  },
  {
    name: "serve mcp",
    summary: "Be an MCP server over stdin and stdout",
    usage: "",
    options: { ...SERVED_TOOLS, brief: BRIEF, audit: AUDIT },
    notes: [
      "An MCP client starts it: its command is waybill, its arguments serve and mcp (and --brief).",
      "It has four tools: execute, explain, list_capabilities and chain. With --tools code or",
      "--tools graph it has only that one: for programs, or for all questions about code.",
    ],
    load: () => import("../commands/serve-mcp.ts"),
  },
  {
    name: "serve http",
    summary: "Answer over HTTP, and MCP clients under /mcp",
    usage: "",
    options: {
      port: { value: "N", help: "Listen on this port; a free one if not given" },
      host: { value: "ADDRESS", help: "Listen on this address (default: 127.0.0.1)" },
      open: { help: "Let every program on this machine call, without a token" },
      audit: AUDIT,
      ...SERVED_TOOLS,
      root: SERVED_ROOT,
    },
    notes: [
      "Tokens, with who has them and their scopes, stand in the configuration under http.tokens.",
      "Callers can also sign in with tokens of an OpenID provider, see http.oidc.",
      "Without any of them, a token is made for this run and printed.",
    ],
    load: () => import("../commands/serve-http.ts"),
  },
  {
    name: "serve github-emulator",
    summary: "A GitHub of your own on this machine, to try things on",
    usage: "",
    options: {
      port: { value: "N", help: "Listen on this port of 127.0.0.1; a free one if not given" },
      socket: { value: "PATH", help: "Listen on a Unix socket instead" },
    },
    notes: ["It runs until it is interrupted, and keeps nothing."],
    load: () => import("../commands/serve-github.ts"),
  },
  {
    name: "serve nats",
    summary: "Serve what is configured here to callers on a NATS server",
    usage: "",
    options: {
      server: { value: "URL", help: "nats://host:port; this machine's unless configured" },
      service: { value: "NAME", help: "Name that the workers share (default: waybill)" },
      open: { help: "Let every client of the NATS server call, without a key" },
      audit: AUDIT,
      root: SERVED_ROOT,
    },
    notes: [
      "Several workers of one service share the calls. An interrupted one answers what it has begun.",
      "Who calls is signed with nats.key of the configuration; with --open every call is nobody's.",
    ],
    load: () => import("../commands/serve-nats.ts"),
  },
];
