import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands that change or show the sources. */
export const SOURCE_COMMANDS: readonly Command[] = [
  {
    name: "source add",
    summary: "Make an API, an MCP server, a GraphQL endpoint or a program callable",
    usage: "<kind> <what> [argument …] | <known name>",
    options: {
      name: { value: "NAME", help: "First part of its ids (default: made from the source)" },
      "token-env": {
        value: "NAME",
        help: "The variable with the token or key; openapi: also SCHEME=NAME,SCHEME=NAME",
      },
      server: { value: "URL", help: "openapi: in place of the servers it names" },
      schema: {
        value: "FILE",
        help: "graphql: SDL or an introspection; else the endpoint is asked",
      },
      documents: { value: "FILES", help: "graphql: documents, each an operation" },
      persisted: {
        value: "HOW",
        help: "graphql: name documents by their id: apollo or document-id",
      },
      "base-url": { value: "URL", help: "cards: where REST paths hang below" },
      "graphql-url": { value: "URL", help: "cards: the GraphQL endpoint" },
      env: { value: "NAMES", help: "mcp: variables the program gets, such as A_TOKEN,B_TOKEN" },
      trusted: { help: "mcp: believe what it says of its tools' effects" },
      hosts: {
        value: "HOSTS",
        help: "openapi: where the token may go (default: its first server)",
      },
      "allow-private": { help: "The source is on this machine or its network" },
      timeout: { value: "SECONDS", help: "mcp: wait so long for the server (default: 15)" },
      import: { help: "mcp: take over what editors and .mcp.json files have" },
      user: { help: "Into your own configuration, not the project's" },
      replace: { help: "In place of the source of that name" },
    },
    notes: [
      "The kind is openapi, mcp, graphql, command, cards or nats; what, its file, URL or program.",
      "waybill source known lists APIs and MCP servers that a name alone adds, such as stripe.",
      "The source is read first; one that cannot be is not added.",
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
    summary: "The sources that are configured here",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/source-list.ts"),
  },
  {
    name: "source check",
    summary: "Read the sources and say what they offer, or why not",
    usage: "[name]",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/source-check.ts"),
  },
  {
    name: "source refresh",
    summary: "Read API descriptions again, so that searches know what they have now",
    usage: "[name]",
    options: {},
    load: () => import("../commands/source-refresh.ts"),
  },
  {
    name: "source remove",
    summary: "Take a source out of the configuration",
    usage: "<name>",
    options: { user: { help: "Out of your own configuration, not the project's" } },
    load: () => import("../commands/source-remove.ts"),
  },
];
