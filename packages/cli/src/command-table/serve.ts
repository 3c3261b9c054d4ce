import type { Command, OptionSpec } from "../command.ts";
import { BRIEF, GRAPH_ROOT, ASKED_ROOT } from "./options.ts";

const SERVED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: root of the code base that callers may ask about (default: none)",
};
const AUDIT: OptionSpec = {
  value: "FILE",
  help: "Log each call and its caller as a line of JSON",
};
const SERVED_TOOLS: Readonly<Record<string, OptionSpec>> = {
  prefix: { value: "TEXT", help: "MCP: prefix for the names of graph tools, such as ouroborosai_" },
  tools: {
    value: "IDS",
    help: "MCP: also serve these as tools, such as issue.*,graph.*; code or graph serves only that tool",
  },
  "max-tokens": { value: "N", help: "MCP: keep answers within N tokens (default: 10000)" },
  structured: {
    help: "MCP: also send structured content, for clients that need it",
  },
  root: ASKED_ROOT,
};

/** Commands that run a server until they are stopped. */
export const SERVE_COMMANDS: readonly Command[] = [
  {
    name: "inspect",
    summary: "Open a page that shows calls, capabilities and sources",
    usage: "",
    options: {
      port: { value: "N", help: "Port on 127.0.0.1 (default: a free one)" },
      root: GRAPH_ROOT,
      "no-open": { help: "Print the address without opening a browser" },
    },
    notes: [
      "Shows the calls that serve and --record store, and calls made from the page. The",
      "address contains a token of this run. Everyone who has it can look and call; nobody else can.",
    ],
    load: () => import("../commands/inspect.ts"),
  },
  {
    name: "serve mcp",
    summary: "Run an MCP server on stdio",
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
    summary: "Run an HTTP server, with MCP at /mcp",
    usage: "",
    options: {
      port: { value: "N", help: "Port (default: a free one)" },
      host: { value: "ADDRESS", help: "Listen on this address (default: 127.0.0.1)" },
      open: { help: "Let every program on this machine call, without a token" },
      audit: AUDIT,
      ...SERVED_TOOLS,
      root: SERVED_ROOT,
    },
    notes: [
      "Configure tokens, their callers and scopes under http.tokens.",
      "Callers can also sign in with tokens of an OpenID provider, see http.oidc.",
      "Without any of them, a token for this run is created and printed.",
    ],
    load: () => import("../commands/serve-http.ts"),
  },
  {
    name: "serve github-emulator",
    summary: "Run an embedded GitHub on this machine, for tests",
    usage: "",
    options: {
      port: { value: "N", help: "Port on 127.0.0.1 (default: a free one)" },
      socket: { value: "PATH", help: "Listen on a Unix socket instead" },
    },
    notes: ["It runs until it is interrupted, and stores nothing."],
    load: () => import("../commands/serve-github.ts"),
  },
  {
    name: "serve nats",
    summary: "Serve the configured capabilities to callers on a NATS server",
    usage: "",
    options: {
      server: { value: "URL", help: "nats://host:port (default: configured, or this machine)" },
      service: { value: "NAME", help: "Name that the workers share (default: waybill)" },
      open: { help: "Let every client of the NATS server call, without a key" },
      audit: AUDIT,
      root: SERVED_ROOT,
    },
    notes: [
      "Several workers of one service share the calls. An interrupted worker finishes its calls.",
      "Callers are identified by nats.key of the configuration. With --open, calls have no identity.",
    ],
    load: () => import("../commands/serve-nats.ts"),
  },
];
