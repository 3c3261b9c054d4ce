/** A page of the API reference: the names that are declared in some files of an entry. */
export interface ApiPage {
  readonly slug: string;
  readonly title: string;
  /** Files below `packages/core/src` whose names the page lists. */
  readonly files: RegExp;
}

/** A public entry of `@waybill/core` and its pages. */
export interface ApiEntry {
  readonly name: string;
  readonly file: string;
  readonly summary: string;
  readonly pages: readonly ApiPage[];
}

function page(slug: string, title: string, files: RegExp): ApiPage {
  return { slug, title, files };
}

/** Each name is listed on the first page of its entry that matches its file. */
export const API_ENTRIES: readonly ApiEntry[] = [
  {
    name: "@waybill/core",
    file: "packages/core/src/index.ts",
    summary: "The names that most programs use.",
    pages: [
      page(
        "lists",
        "Chains, pages and observers",
        /^execute\/(?:answer|chain|pages|redac|run-subscription)|^cards\/steps/,
      ),
      page("waybill", "Create a Waybill and call it", /^execute\//),
      page(
        "define",
        "Define operations",
        /^operation\/(?:access|define|env)|^(?:registry|schema)\//,
      ),
      page("operations", "Operations, sources and cards", /^(?:operation|source|cards)\//),
      page("errors", "Errors", /^envelope\/(?:call-error|error-codes|from-unknown)/),
      page("responses", "Responses", /^envelope\/response\.ts/),
      page("brief", "Brief text and tool answers", /^brief\/|^envelope\/(?:brief|tool)/),
      page("results", "Results", /^envelope\//),
      page("writes", "Safe writes, approvals and stored results", /^(?:policy|router|budget)\//),
      page("calls", "Calls between processes", /^calls\//),
    ],
  },
  {
    name: "@waybill/core/cards",
    file: "packages/core/src/cards.ts",
    summary: "For cards, routes and sources.",
    pages: [
      page("cards", "Cards", /^cards\/card|^cards\/(?:check|prepare)-card/),
      page("card-requests", "Requests and mappings of cards", /^cards\//),
      page("accounts", "Accounts and programs", /^router\/(?:account|program|run-for|versions)/),
      page("routes", "Routes", /^router\//),
      page("sources", "Sources", /^source\//),
      page("upstreams", "Failures of upstreams, and helpers", /^/),
    ],
  },
  {
    name: "@waybill/core/protocol",
    file: "packages/core/src/protocol.ts",
    summary: "For doors, transports and stores.",
    pages: [
      page("transports", "Transports", /^calls\/|^execute\/wire\//),
      page("answers", "Answers and error codes", /^envelope\//),
      page("tokens", "Token budgets and brief text", /^(?:budget|brief)\/|brief-chain/),
      page("journals", "Journals and programs", /^(?:router|policy)\//),
      page("doors", "Lists, explanations and events", /^/),
    ],
  },
  {
    name: "@waybill/core/schema",
    file: "packages/core/src/schema.ts",
    summary: "JSON Schema and JSON.",
    pages: [page("json", "JSON", /^envelope\//), page("schemas", "JSON Schema", /^/)],
  },
  {
    name: "@waybill/core/testing",
    file: "packages/core/src/testing/index.ts",
    summary: "Contract suites for your own sources, transports and journals.",
    pages: [page("testing", "Contract suites", /^/)],
  },
];
