import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands that change or show the sources. */
export const SOURCE_COMMANDS: readonly Command[] = [
  {
    name: "source add",
    summary: "Add an API, an MCP server, a GraphQL endpoint or a program",
    usage: "<kind> <what> [argument …] | <known name>",
    options: {
      name: {
        value: "NAME",
        help: "Name of the source, which starts its ids (default: made from its address)",
      },
      "token-env": {
        value: "NAME",
        help: "Environment variable with the token or key; openapi: also SCHEME=NAME,SCHEME=NAME",
      },
      server: { value: "URL", help: "openapi: use this address instead of the described servers" },
      schema: {
        value: "FILE",
        help: "graphql: schema as SDL or introspection result (default: ask the endpoint)",
      },
      documents: {
        value: "FILES",
        help: "graphql: files with documents; each becomes an operation",
      },
      persisted: {
        value: "HOW",
        help: "graphql: send the id of a document, not its text: apollo or document-id",
      },
      "subscriptions-url": {
        value: "URL",
        help: "graphql: URL of the WebSocket for subscriptions (default: the endpoint's own)",
      },
      "base-url": { value: "URL", help: "cards: base URL of REST paths" },
      "graphql-url": { value: "URL", help: "cards: the GraphQL endpoint" },
      env: {
        value: "NAMES",
        help: "mcp: environment variables to pass to the program, such as A_TOKEN,B_TOKEN",
      },
      trusted: { help: "mcp: trust the effects that the server declares for its tools" },
      hosts: {
        value: "HOSTS",
        help: "openapi: hosts that may receive the token (default: its first server)",
      },
      "allow-private": {
        help: "Allow private addresses, for a source on this machine or its network",
      },
      timeout: { value: "SECONDS", help: "mcp: seconds to wait for the server (default: 15)" },
      import: { help: "mcp: import servers from editors and .mcp.json files" },
      user: { help: "Write to your own configuration, not the project's" },
      replace: { help: "Replace the source of that name" },
    },
    notes: [
      "The kind is openapi, mcp, graphql, command, cards or nats; then its file, URL or program.",
      "waybill source known lists APIs and MCP servers that a name alone adds, such as stripe.",
      "The source is read first. If that fails, it is not added.",
      "command git, without a file, proposes operations from git --help; you confirm them.",
      "Arguments of a program that begin with a dash come after --.",
    ],
    load: () => import("../commands/source-add.ts"),
  },
  {
    name: "source known",
    summary: "List well-known APIs and MCP servers that can be added by name",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/source-known.ts"),
  },
  {
    name: "source list",
    summary: "List the configured sources",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/source-list.ts"),
  },
  {
    name: "source check",
    summary: "Read the sources and list their operations or problems",
    usage: "[name]",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/source-check.ts"),
  },
  {
    name: "source refresh",
    summary: "Read API descriptions again, so that searches are up to date",
    usage: "[name]",
    options: {},
    load: () => import("../commands/source-refresh.ts"),
  },
  {
    name: "source remove",
    summary: "Remove a source from the configuration",
    usage: "<name>",
    options: { user: { help: "Remove it from your own configuration, not the project's" } },
    load: () => import("../commands/source-remove.ts"),
  },
];
