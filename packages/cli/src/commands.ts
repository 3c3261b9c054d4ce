import type { Command, OptionSpec } from "./command.ts";

const JSON_SWITCH: OptionSpec = { help: "As JSON" };
/** Where programs get JSON without asking for it. */
const LISTED_AS: Readonly<Record<string, OptionSpec>> = {
  json: { help: "Print JSON, even on a terminal" },
  brief: { help: "Print compact text, even in a pipe" },
};
const PRETTY: OptionSpec = { help: "Print indented JSON (a terminal shows a tree by default)" };
const BRIEF: OptionSpec = { help: "Leave obvious fields out of answers" };
const DRY_RUN: OptionSpec = { help: "Show the requests without sending them" };
const KEY: OptionSpec = { value: "KEY", help: "Idempotency key: makes a write safe to repeat" };
const WAIT: OptionSpec = {
  value: "N",
  help: "Wait N milliseconds for slow sources (default: 3000)",
};
const GRAPH_ROOT: OptionSpec = {
  value: "DIR",
  help: "Root of the code base (default: current folder)",
};
const ASKED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: root of the code base (default: current folder)",
};
const SERVED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: root of the code base (default: none for callers)",
};
const AUDIT: OptionSpec = {
  value: "FILE",
  help: "Log each call and its caller as a line of JSON",
};
const SERVED_TOOLS: Readonly<Record<string, OptionSpec>> = {
  prefix: { value: "TEXT", help: "MCP: prefix for the names of graph tools, such as ouroborosai_" },
  tools: { value: "IDS", help: "MCP: offer these as separate tools, such as issue.*,graph,code" },
  "max-tokens": { value: "N", help: "MCP: keep answers within N tokens (default: 10000)" },
  structured: {
    help: "MCP: --tools also return structured content, for clients that need it",
  },
  root: ASKED_ROOT,
};
const NAMES = "A name without a type is a string; ? marks optional inputs";

/** Every command there is; help is printed from this and so cannot fall behind. */
export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    summary: "Call one capability",
    usage: "<id> [thing] [key=value …] [field …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "Inputs as JSON, - for stdin, or @FILE" },
      input: { value: "JSON|-|@FILE", help: "The same as --params" },
      save: { value: "FILE", help: "Save the file in the answer, such as an image, to FILE" },
      trace: { help: "Add attempts, timings and cost to the answer" },
      select: {
        value: "PATHS",
        help: "Return only these fields: number,author.login,items.*.title",
      },
      query: { value: "JMESPATH", help: "Return only the value of this JMESPath expression" },
      page: { value: "CURSOR", help: "Read the next page: pass meta.pagination.end_cursor" },
      pages: { value: "N", help: "Read up to N pages of a list, one answer per line" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens, at least 200" },
      "deadline-ms": { value: "N", help: "Time limit in milliseconds" },
      route: { value: "ROUTE", help: "Use only this route: cli, graphql, rest, mcp or local" },
      "idempotency-key": KEY,
      "dry-run": DRY_RUN,
      approve: { value: "TEXT", help: "The approval that a refusal gave (details.approve)" },
      include: { value: "GROUPS", help: "Extra field groups, such as reviews,checks" },
      via: { value: "URL", help: "Run the call on NATS workers: nats://host:port/service" },
      root: ASKED_ROOT,
      record: { help: "Record the call, without secrets, for waybill inspect" },
      brief: BRIEF,
      pretty: PRETTY,
    },
    flagHint: "Inputs are written key=value, without dashes",
    notes: [
      "Short form: waybill run issue.view octo/hello#1 title state. The first word is a reference, a word",
      "with = is an input, and every other word is a field to select.",
      "Values are strings. They are parsed if the capability takes a number, a boolean or JSON. For",
      "a list write key=a key=b. Commas separate values of an enum, and numbers.",
      "key=value overrides the same key in --input.",
      'With "history": "on" in the configuration every call is recorded as with --record.',
    ],
    load: () => import(/* part: run */ "./commands/run.ts"),
  },
  {
    name: "subscribe",
    summary: "Print the events of a subscription, one per line",
    usage: "<id> [key=value …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "Inputs as JSON, - for stdin, or @FILE" },
      limit: { value: "N", help: "Stop after N events (default: 20)" },
      "wait-ms": { value: "N", help: "Stop after N milliseconds (default: 30000)" },
      "max-tokens": { value: "N", help: "Stop before the events have more than N tokens" },
      approve: { value: "TEXT", help: "The approval that a refusal gave (details.approve)" },
      root: ASKED_ROOT,
    },
    flagHint: "Inputs are written key=value, without dashes",
    load: () => import("./commands/subscribe.ts"),
  },
  {
    name: "chain",
    summary: "Run several calls in one request; steps can use earlier results",
    usage: "--steps JSON|-|@FILE",
    options: {
      steps: { value: "JSON|-|@FILE", help: "A list of {task, input, id?, when?, select?}" },
      "on-error": {
        value: "stop|continue",
        help: "After a failure: continue or stop (default: continue)",
      },
      "merge-writes": { help: "Merge neighbouring writes into one request" },
      "dry-run": DRY_RUN,
      "idempotency-key": KEY,
      root: ASKED_ROOT,
      brief: BRIEF,
      pretty: PRETTY,
    },
    notes: [
      'A step uses another one\'s answer with {"$from": "issue.data.number"} in its input, where',
      "issue is the id of that step.",
    ],
    load: () => import("./commands/chain.ts"),
  },
  {
    name: "code",
    summary: "Run a program over every capability, in a sandbox",
    usage: "'<program>'|-|@FILE",
    options: {
      "idempotency-key": {
        value: "KEY",
        help: "Repeat or resume this run: nothing is written twice",
      },
      approve: { value: "TEXT", help: "The approval that a run gave (details.approve)" },
      "dry-run": { help: "Show the writes of the program without sending them" },
      input: { value: "JSON|-|@FILE", help: "The value of the global input" },
      save: { value: "ID", help: "Save the program as a capability: a card in your card folder" },
      "deadline-ms": { value: "N", help: "Stop after N milliseconds (default: 120000)" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens (default: 10000)" },
      root: ASKED_ROOT,
      record: { help: "Record the calls, without secrets, for waybill inspect" },
      brief: { help: "Print only what the program logged and returned" },
      pretty: PRETTY,
    },
    notes: [
      "The program is JavaScript or TypeScript. The first words of all ids are globals:",
      "  waybill code 'return (await issue.list(\"octo/hello\")).length'",
      "A call takes a reference and an object. Lists are arrays of all items. Failures throw.",
      "waybill.search(words) and waybill.signature(id) find and describe capabilities.",
    ],
    load: () => import("./commands/code.ts"),
  },
  {
    name: "capabilities list",
    summary: "List the capabilities available here",
    usage: "",
    options: {
      domain: { value: "NAME", help: "List only ids below this one, such as issue" },
      "wait-ms": WAIT,
      ...LISTED_AS,
    },
    load: () => import("./commands/list.ts"),
  },
  {
    name: "capabilities explain",
    summary: "Show the inputs, outputs and routes of a capability",
    usage: "<id>",
    options: LISTED_AS,
    notes: [NAMES],
    load: () => import(/* part: explain */ "./commands/explain.ts"),
  },
  {
    name: "capabilities search",
    summary: "Find capabilities by words",
    usage: "<words>",
    options: { "wait-ms": WAIT, ...LISTED_AS },
    load: () => import("./commands/search.ts"),
  },
  {
    name: "source add",
    summary: "Add an API, an MCP server, a GraphQL endpoint or a program",
    usage: "<kind> <what> [argument …] | <known name>",
    options: {
      name: { value: "NAME", help: "Prefix of its ids (default: made from the source)" },
      "token-env": {
        value: "NAME",
        help: "The variable with the token or key; openapi: also SCHEME=NAME,SCHEME=NAME",
      },
      server: { value: "URL", help: "openapi: use this address instead of the described servers" },
      schema: {
        value: "FILE",
        help: "graphql: SDL or introspection (default: ask the endpoint)",
      },
      documents: { value: "FILES", help: "graphql: documents; each becomes an operation" },
      persisted: {
        value: "HOW",
        help: "graphql: name documents by their id: apollo or document-id",
      },
      "base-url": { value: "URL", help: "cards: base URL of REST paths" },
      "graphql-url": { value: "URL", help: "cards: the GraphQL endpoint" },
      env: { value: "NAMES", help: "mcp: variables the program gets, such as A_TOKEN,B_TOKEN" },
      trusted: { help: "mcp: trust the effects that it declares for its tools" },
      hosts: {
        value: "HOSTS",
        help: "openapi: hosts that may receive the token (default: its first server)",
      },
      "allow-private": { help: "The source is on this machine or its network" },
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
    load: () => import("./commands/source-add.ts"),
  },
  {
    name: "source known",
    summary: "List well-known APIs and MCP servers that can be added by name",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/source-known.ts"),
  },
  {
    name: "source list",
    summary: "List the configured sources",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/source-list.ts"),
  },
  {
    name: "source check",
    summary: "Read the sources and list their operations or problems",
    usage: "[name]",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/source-check.ts"),
  },
  {
    name: "source refresh",
    summary: "Read API descriptions again, so that searches are up to date",
    usage: "[name]",
    options: {},
    load: () => import("./commands/source-refresh.ts"),
  },
  {
    name: "source remove",
    summary: "Remove a source from the configuration",
    usage: "<name>",
    options: { user: { help: "Remove it from your own configuration, not the project's" } },
    load: () => import("./commands/source-remove.ts"),
  },
  {
    name: "up",
    summary: "Keep sources open in the background, so that later commands start at once",
    usage: "",
    options: {
      idle: {
        value: "MINUTES",
        help: "Stop after so many minutes without a command (default: 30)",
      },
      foreground: { help: "Stay in this terminal" },
    },
    notes: [
      "run, chain, code and capabilities use it. MCP servers keep their state between the",
      "commands of a folder. With WAYBILL_UP=off a command does not use it.",
    ],
    load: () => import("./commands/up.ts"),
  },
  {
    name: "down",
    summary: "Stop what waybill up started",
    usage: "",
    options: {},
    load: () => import("./commands/down.ts"),
  },
  {
    name: "status",
    summary: "Show whether waybill up runs, and for which folders",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/status.ts"),
  },
  {
    name: "connect",
    summary: "Sign in to a source",
    usage: "<source>",
    options: {
      account: { value: "NAME", help: "Name of the account (default: default)" },
      "no-browser": { help: "Print the sign-in page, then paste the final address of the browser" },
      scheme: { value: "NAME", help: "openapi: the security scheme (default: the usual one)" },
      grant: {
        value: "GRANT",
        help: "authorization_code, device_code or client_credentials (default: the first offered)",
      },
      "client-id": { value: "ID", help: "Id of the registered application" },
      "client-secret-env": { value: "NAME", help: "The variable with the application's secret" },
      scope: { value: "SCOPES", help: "Ask for these scopes, such as read,write" },
      "redirect-url": {
        value: "URL",
        help: "Redirect address (default: http://127.0.0.1:41017/callback)",
      },
    },
    notes: [
      "Waybill detects how: OAuth for MCP servers and for APIs that describe it. Otherwise",
      "it asks for the token or key, which can also be piped in. Expired tokens are renewed.",
    ],
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "connections",
    summary: "List the sources you are signed in to",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/connections.ts"),
  },
  {
    name: "disconnect",
    summary: "Delete the tokens of a source",
    usage: "<source>",
    options: { account: { value: "NAME", help: "The account, if there are several" } },
    load: () => import("./commands/disconnect.ts"),
  },
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
      "waybill graph digest needs nothing else. A target is a path, path#symbol or a symbol's name; so",
      "is a symbol, which stands for a position; since is a git revision, staged or working.",
      "For a list, x[], write x=a x=b.",
      "graph export draws the graph, graph watch keeps it up to date; both have their own help.",
    ],
    details: async () => (await import("./commands/graph-signatures.ts")).graphSignatures(),
    load: () => import("./commands/graph.ts"),
  },
  {
    name: "graph export",
    summary: "Export the code graph as a picture or as data",
    usage: "",
    options: {
      format: { value: "FORMAT", help: "mermaid, dot, svg or json (default: mermaid)" },
      level: {
        value: "file|folder",
        help: "Content of the boxes (default: files, or folders for a large code base)",
      },
      scope: { value: "PATH", help: "Show only files below this path, or of a glob" },
      "max-nodes": { value: "N", help: "Show at most N boxes (default: 120)" },
      root: GRAPH_ROOT,
    },
    load: () => import("./commands/graph-export.ts"),
  },
  {
    name: "graph watch",
    summary: "Keep the code graph up to date and print changes, until interrupted",
    usage: "",
    options: { root: GRAPH_ROOT },
    load: () => import("./commands/graph-watch.ts"),
  },
  {
    name: "trust",
    summary: "Trust the sources of a project's configuration",
    usage: "[file]",
    options: {
      source: {
        value: "NAME",
        help: "Trust only this source, or the current tools of this MCP server",
      },
    },
    notes: [
      "Without a file, the nearest waybill.config.json is used. Trust in a source ends when its entry",
      "or a local file that it names changes. A project's source is not used before it is trusted.",
    ],
    load: () => import("./commands/trust.ts"),
  },
  {
    name: "approvals",
    summary: "Show the calls that wait for your approval, and answer them",
    usage: "[allow|deny <id>]",
    options: { json: JSON_SWITCH },
    notes: [
      "Approvals need a terminal. Each one covers a single call with these inputs by this",
      "caller. It is valid for 24 hours and is used up by the call.",
    ],
    load: () => import("./commands/approvals.ts"),
  },
  {
    name: "doctor",
    summary: "Check which routes work here and how to fix the others",
    usage: "",
    options: {
      online: { help: "Also ask GitHub who you are, and read the sources" },
      json: JSON_SWITCH,
    },
    notes: [
      "Sends nothing without --online. Exits with 0 if a route to GitHub is ready or a",
      "source is configured, and nothing is broken; otherwise with 1.",
    ],
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "setup",
    summary: "Set up an agent: its MCP server and its instructions",
    usage: "[--agent NAME]",
    options: {
      agent: {
        value: "NAME",
        help: "claude-code, claude-desktop, cursor, vscode, copilot-cli, codex, gemini-cli, opencode, windsurf, zed, goose, cline or generic (default: the installed ones, after a question)",
      },
      user: { help: "Set up all of your projects, not only this folder" },
      indexed: { help: "A skill with the signature of every GitHub capability" },
      "dry-run": { help: "Show the changes without writing them" },
      yes: { help: "Write without asking; required without a terminal" },
      verify: { help: "Check that the files are there and that the server starts" },
      remove: { help: "Remove what was written, and nothing else" },
    },
    notes: [
      "Shows the changes and asks before writing. A second run changes nothing.",
      "A file that is invalid, or has other content at that position, is not changed.",
    ],
    load: () => import("./commands/setup.ts"),
  },
  {
    name: "skill",
    summary: "Print instructions that teach an agent to use Waybill",
    usage: "",
    options: {
      indexed: { help: "Include the signature of every GitHub capability" },
      door: {
        value: "DOOR",
        help: "For an agent that calls by command or by mcp (default: command)",
      },
    },
    load: () => import("./commands/skill.ts"),
  },
  {
    name: "types",
    summary: "Print TypeScript types of the capabilities, for execute()",
    usage: "",
    options: {
      out: { value: "FILE", help: "Write to this file, such as waybill.d.ts, not to stdout" },
      all: { help: "Include hidden capabilities, such as the rest of GitHub's REST API" },
      code: { help: "Print the globals of programs, for an editor" },
    },
    load: () => import("./commands/types.ts"),
  },
  {
    name: "completion",
    summary: "Print a shell completion script",
    usage: "bash|zsh|fish",
    options: {},
    notes: [
      'Into your shell\'s start-up file: eval "$(waybill completion bash)", the same with zsh, or',
      "waybill completion fish | source.",
    ],
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "demo",
    summary: "Take a tour on an embedded GitHub: no account, no token, no clean-up",
    usage: "",
    options: {},
    notes: ["On a terminal it ends at a page with the calls of the tour, until Ctrl-C."],
    load: () => import("./commands/demo.ts"),
  },
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
      "Shows the calls that serve and run --record store, and calls made from the page. The address",
      "contains a token of this run. Everyone who has the address can look and call; nobody else can.",
    ],
    load: () => import("./commands/inspect.ts"),
  },
  {
    name: "serve mcp",
    summary: "Run an MCP server on stdio",
    usage: "",
    options: { ...SERVED_TOOLS, brief: BRIEF, audit: AUDIT },
    notes: [
      "An MCP client starts it: its command is waybill, its arguments serve and mcp (and --brief).",
      "Four tools are always there: execute, explain, list_capabilities and chain.",
    ],
    load: () => import("./commands/serve-mcp.ts"),
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
    load: () => import("./commands/serve-http.ts"),
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
    load: () => import("./commands/serve-github.ts"),
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
    load: () => import("./commands/serve-nats.ts"),
  },
];
