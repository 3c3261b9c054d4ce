import type { Command, OptionSpec } from "./command.ts";

const JSON_SWITCH: OptionSpec = { help: "As JSON" };
/** Where programs get JSON without asking for it. */
const LISTED_AS: Readonly<Record<string, OptionSpec>> = {
  json: { help: "JSON, also on a terminal" },
  brief: { help: "Compact text, also for a program" },
};
const PRETTY: OptionSpec = { help: "Indented JSON; on a terminal it is a tree in any case" };
const BRIEF: OptionSpec = { help: "Leave out of an answer what goes without saying" };
const DRY_RUN: OptionSpec = { help: "Send nothing; show what would be sent" };
const KEY: OptionSpec = { value: "KEY", help: "Makes a write safe to repeat" };
const WAIT: OptionSpec = {
  value: "N",
  help: "Wait N milliseconds for slow sources (default: 3000)",
};
const GRAPH_ROOT: OptionSpec = { value: "DIR", help: "The code base (default: this folder)" };
const ASKED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: the code base (default: this folder)",
};
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
  tools: { value: "IDS", help: "MCP: these as tools of their own, such as issue.*,graph; code" },
  "max-tokens": { value: "N", help: "MCP: keep answers within N tokens (default: 10000)" },
  structured: {
    help: "MCP: --tools also answer with structured content, for clients that need it",
  },
  root: ASKED_ROOT,
};
const NAMES = "A name without a type is text; ? marks what may be left out";

/** Every command there is; help is printed from this and so cannot fall behind. */
export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    summary: "Call one capability",
    usage: "<id> [thing] [key=value …] [field …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "The inputs: JSON, - for stdin, or @ and a file" },
      input: { value: "JSON|-|@FILE", help: "The same as --params" },
      save: { value: "FILE", help: "Write the file of the answer, such as an image, to FILE" },
      trace: { help: "Add attempts, timings and cost to the answer" },
      select: { value: "PATHS", help: "Only these parts: number,author.login,items.*.title" },
      json: { value: "PATHS", help: "The same as --select" },
      query: { value: "JMESPATH", help: "Only the value of this expression" },
      page: { value: "CURSOR", help: "Go on after meta.pagination.end_cursor" },
      pages: { value: "N", help: "Up to N pages of a list, an answer a line" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens, at least 200" },
      "deadline-ms": { value: "N", help: "Give up after N milliseconds" },
      route: { value: "ROUTE", help: "Only this route: cli, graphql, rest, mcp or local" },
      "idempotency-key": KEY,
      "dry-run": DRY_RUN,
      approve: { value: "TEXT", help: "The approval that a refusal gave (details.approve)" },
      include: { value: "GROUPS", help: "Extra field groups, such as reviews,checks" },
      via: { value: "URL", help: "Let workers on NATS do it: nats://host:port/service" },
      root: ASKED_ROOT,
      record: { help: "Keep the call, without secrets, in the history of waybill inspect" },
      brief: BRIEF,
      pretty: PRETTY,
    },
    flagHint: "Inputs are written key=value or --key value",
    takesInputs: true,
    notes: [
      "Short form: waybill run issue.view octo/hello#1 title state. The first word names a thing, a word",
      "with = is an input, and every other word is a field to select. --key value is key=value, unless",
      "--key is an option.",
      "Values are text; where the capability takes a number, true, false or JSON, they are read so. For",
      "a list write key=a key=b, or one value; commas part words of a choice, and numbers.",
      "key=value wins over the same key in --input.",
      'With "history": "on" in the configuration every call is recorded as with --record.',
    ],
    load: () => import(/* part: run */ "./commands/run.ts"),
  },
  {
    name: "subscribe",
    summary: "Print the events of a subscription, a line each",
    usage: "<id> [key=value …]",
    options: {
      params: { value: "JSON|-|@FILE", help: "The inputs: JSON, - for stdin, or @ and a file" },
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
    summary: "Call many capabilities, each able to use what the others answered",
    usage: "--steps JSON|-|@FILE",
    options: {
      steps: { value: "JSON|-|@FILE", help: "A list of {task, input, id?, when?, select?}" },
      "on-error": { value: "stop|continue", help: "Whether the others go on; they do by default" },
      "merge-writes": { help: "Let neighbouring writes travel in one request" },
      "dry-run": DRY_RUN,
      "idempotency-key": KEY,
      root: ASKED_ROOT,
      brief: BRIEF,
      pretty: PRETTY,
    },
    notes: [
      'A step uses another one\'s answer with {"$from": "issue.data.number"} in its input, where',
      "issue is the other step's id.",
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
      "dry-run": { help: "Send no write; show which ones the program would send" },
      input: { value: "JSON|-|@FILE", help: "The value of the global input" },
      save: { value: "ID", help: "Save the program as a capability: a card in your card folder" },
      "deadline-ms": { value: "N", help: "Stop after N milliseconds (default: 120000)" },
      "max-tokens": { value: "N", help: "Keep the answer within N tokens (default: 10000)" },
      root: ASKED_ROOT,
      record: { help: "Keep the calls, without secrets, in the history of waybill inspect" },
      brief: { help: "Print only what the program logged and returned" },
      pretty: PRETTY,
    },
    notes: [
      "The program is JavaScript or TypeScript. The first words of all ids are globals:",
      "  waybill code 'return (await issue.list(\"octo/hello\")).length'",
      "A call takes a reference and an object. Lists are arrays of all items. Failures throw.",
      "waybill.search(words) and waybill.signature(id) tell what there is.",
    ],
    load: () => import("./commands/code.ts"),
  },
  {
    name: "capabilities list",
    summary: "What can be called here",
    usage: "",
    options: {
      domain: { value: "NAME", help: "Only ids below this one, such as issue" },
      "wait-ms": WAIT,
      ...LISTED_AS,
    },
    load: () => import("./commands/list.ts"),
  },
  {
    name: "capabilities explain",
    summary: "How to call a capability",
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
    summary: "Make an API, an MCP server, a GraphQL endpoint or a program callable",
    usage: "<kind> <what> [argument …] | <known name>",
    options: {
      name: { value: "NAME", help: "What its ids begin with; made from the source if not given" },
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
    summary: "The sources that are configured here",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/source-list.ts"),
  },
  {
    name: "source check",
    summary: "Read the sources and say what they offer, or why not",
    usage: "[name]",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/source-check.ts"),
  },
  {
    name: "source refresh",
    summary: "Read API descriptions again, so that searches know what they have now",
    usage: "[name]",
    options: {},
    load: () => import("./commands/source-refresh.ts"),
  },
  {
    name: "source remove",
    summary: "Take a source out of the configuration",
    usage: "<name>",
    options: { user: { help: "Out of your own configuration, not the project's" } },
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
      "run, chain, code and capabilities use it. MCP servers keep what they remember between the",
      "commands of a folder. WAYBILL_UP=off makes a command run by itself.",
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
    summary: "Say whether waybill up runs, and for which folders",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("./commands/status.ts"),
  },
  {
    name: "connect",
    summary: "Sign in to a source",
    usage: "<source>",
    options: {
      account: { value: "NAME", help: "Which of several accounts (default: default)" },
      "no-browser": { help: "Only print the page; paste the address that the browser ends at" },
      scheme: { value: "NAME", help: "openapi: the security scheme (default: the usual one)" },
      grant: {
        value: "GRANT",
        help: "authorization_code, device_code or client_credentials (default: the first offered)",
      },
      "client-id": { value: "ID", help: "The application that signs in, where one is registered" },
      "client-secret-env": { value: "NAME", help: "The variable with the application's secret" },
      scope: { value: "SCOPES", help: "Ask for these scopes, such as read,write" },
      "redirect-url": {
        value: "URL",
        help: "Where the browser is sent back to (default: http://127.0.0.1:41017/callback)",
      },
    },
    notes: [
      "Waybill detects how: OAuth for MCP servers and for APIs that describe it. Otherwise",
      "it asks for the token or key, which can also be piped in. Tokens are renewed when they end.",
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
    options: { account: { value: "NAME", help: "Which account, if there are several" } },
    load: () => import("./commands/disconnect.ts"),
  },
  {
    name: "graph",
    summary: "Ask about a code base: what it is, what depends on what, what is wrong",
    usage: "<tool> [key=value …]",
    options: {
      args: { value: "JSON|-|@FILE", help: "The tool's inputs as JSON" },
      since: { value: "REV", help: "The same as since=REV" },
      root: GRAPH_ROOT,
      prefix: { value: "TEXT", help: "Before the names of tools, such as ouroborosai_" },
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
    summary: "The code graph as a picture or as data",
    usage: "",
    options: {
      format: { value: "FORMAT", help: "mermaid, dot, svg or json (default: mermaid)" },
      level: { value: "file|folder", help: "What the boxes are; folders where files are many" },
      scope: { value: "PATH", help: "Only below this path, or a glob" },
      "max-nodes": { value: "N", help: "Show at most N boxes (default: 120)" },
      root: GRAPH_ROOT,
    },
    load: () => import("./commands/graph-export.ts"),
  },
  {
    name: "graph watch",
    summary: "Keep the code graph up to date, a line for each change, until interrupted",
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
        help: "Only this source, or the tools of this MCP server as they are",
      },
    },
    notes: [
      "Without a file it is the nearest waybill.config.json. The trust in a source ends when its entry",
      "changes, or a local file that the entry names. A project's source is not read before.",
    ],
    load: () => import("./commands/trust.ts"),
  },
  {
    name: "approvals",
    summary: "Show the calls that wait for your approval, and answer them",
    usage: "[allow|deny <id>]",
    options: { json: JSON_SWITCH },
    notes: [
      "An approval is asked for on a terminal only. It covers one call with these inputs by this",
      "caller, waits for 24 hours and is used up when the call was made.",
    ],
    load: () => import("./commands/approvals.ts"),
  },
  {
    name: "doctor",
    summary: "Check what works on this machine, route by route, and how to fix the rest",
    usage: "",
    options: {
      online: { help: "Also ask GitHub who you are, and read the sources" },
      json: JSON_SWITCH,
    },
    notes: [
      "Nothing is sent anywhere without --online. It ends with 0 when a route to GitHub is ready or a",
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
      "dry-run": { help: "Write nothing; show what would be written" },
      yes: { help: "Write without asking; needed where there is no terminal" },
      verify: { help: "Check that the files are there and that the server starts" },
      remove: { help: "Remove what was written, and nothing else" },
    },
    notes: [
      "It shows what it will write and asks; run twice, it changes nothing the second time.",
      "A file that is broken, or holds something else in that place, is left as it is.",
    ],
    load: () => import("./commands/setup.ts"),
  },
  {
    name: "skill",
    summary: "What to tell an agent, so that it calls Waybill well",
    usage: "",
    options: {
      indexed: { help: "With the signature of every GitHub capability" },
      door: {
        value: "DOOR",
        help: "For an agent that calls by command or by mcp (default: command)",
      },
    },
    load: () => import("./commands/skill.ts"),
  },
  {
    name: "types",
    summary: "TypeScript types of the capabilities, so that execute() knows them",
    usage: "",
    options: {
      out: { value: "FILE", help: "Write them there, such as waybill.d.ts, not to stdout" },
      all: { help: "Also what lists do not show, such as all of GitHub's REST API" },
      code: { help: "The globals of programs, for an editor" },
    },
    load: () => import("./commands/types.ts"),
  },
  {
    name: "completion",
    summary: "What a shell needs to complete commands, options and ids",
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
    summary: "A tour on a GitHub of its own: no account, no token, nothing to clean up",
    usage: "",
    options: {},
    notes: ["On a terminal it ends at a page with the calls of the tour, until Ctrl-C."],
    load: () => import("./commands/demo.ts"),
  },
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
      "It shows what serve and run --record keep, and what is called from the page. Whoever has the",
      "address, which holds a token of this run, can look and call; nobody else can.",
    ],
    load: () => import("./commands/inspect.ts"),
  },
  {
    name: "serve mcp",
    summary: "Be an MCP server over stdin and stdout",
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
    load: () => import("./commands/serve-http.ts"),
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
    load: () => import("./commands/serve-github.ts"),
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
    load: () => import("./commands/serve-nats.ts"),
  },
];
