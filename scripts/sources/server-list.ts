/** An MCP server from npm, and a call that it can answer without a network or an account. */
export interface ListedServer {
  readonly package: string;
  readonly args?: readonly string[];
  /** Environment variables that the server needs to start. */
  readonly env?: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly params?: object;
  /**
   * A part of the correct answer. If it is absent, the server must refuse the call with its own
   * message.
   */
  readonly says?: string;
}

/** A placeholder for the folder of the run in arguments and inputs. */
export const FOLDER = "{folder}";

const QUERY = { query: "waybill" };

export const SERVERS: readonly ListedServer[] = [
  {
    package: "@modelcontextprotocol/server-everything@2026.8.31",
    args: ["stdio"],
    tool: "echo",
    params: { message: "hello" },
    says: "Echo: hello",
  },
  {
    package: "@modelcontextprotocol/server-filesystem@2026.8.31",
    args: [FOLDER],
    tool: "read_text_file",
    params: { path: `${FOLDER}/note.md` },
    says: "A note",
  },
  {
    package: "@modelcontextprotocol/server-memory@2026.8.31",
    env: { MEMORY_FILE_PATH: `${FOLDER}/memory.json` },
    tool: "create_entities",
    params: { entities: [{ name: "Ada", entityType: "person", observations: ["writes"] }] },
    says: "Ada",
  },
  {
    package: "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
    tool: "sequentialthinking",
    params: { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    says: "thoughtHistoryLength",
  },
  {
    package: "mcp-hello-world@1.1.2",
    tool: "add",
    params: { a: 2, b: 3 },
    says: "5",
  },
  {
    package: "@wrtnlabs/calculator-mcp@0.2.1",
    tool: "mul",
    params: { a: 6, b: 7 },
    says: "42",
  },
  {
    package: "time-mcp@1.0.6",
    tool: "days_in_month",
    params: { date: "2024-02-01" },
    says: "29",
  },
  {
    package: "mcp-server-commands@0.5.0",
    tool: "run_command",
    params: { command: "echo from-a-shell" },
    says: "from-a-shell",
  },
  {
    package: "mcp-node@1.2.2",
    tool: "get-node-version",
    says: "v",
  },
  {
    package: "mcp-server-code-runner@0.1.8",
    tool: "run-code",
    params: { code: "console.log(6 * 7)", languageId: "javascript" },
    says: "42",
  },
  {
    package: "@eslint/mcp@0.3.13",
    tool: "lint-files",
    params: { filePaths: [`${FOLDER}/broken.js`] },
    says: "broken.js",
  },
  {
    package: "@itseasy21/mcp-knowledge-graph@1.0.7",
    env: { MEMORY_FILE_PATH: `${FOLDER}/graph.jsonl` },
    tool: "read_graph",
    says: "entities",
  },
  {
    package: "@playwright/mcp@0.0.83",
    args: ["--headless", "--no-sandbox", "--executable-path", "/usr/bin/chromium"],
    tool: "browser_navigate",
    params: { url: "about:blank" },
    says: "about:blank",
  },
  {
    package: "chrome-devtools-mcp@1.11.0",
    args: [
      "--headless",
      "--isolated",
      "--executablePath=/usr/bin/chromium",
      "--chromeArg=--no-sandbox",
    ],
    tool: "list_pages",
    says: "about:blank",
  },
  { package: "@drawio/mcp@1.6.1", tool: "list_pages", params: { path: "missing.drawio" } },
  {
    package: "@modelcontextprotocol/server-github@2025.4.8",
    tool: "search_repositories",
    params: QUERY,
  },
  {
    package: "@modelcontextprotocol/server-slack@2025.4.25",
    env: { SLACK_BOT_TOKEN: "none", SLACK_TEAM_ID: "none" },
    tool: "slack_list_channels",
  },
  {
    package: "@modelcontextprotocol/server-brave-search@0.6.2",
    env: { BRAVE_API_KEY: "none" },
    tool: "brave_web_search",
    params: QUERY,
  },
  {
    package: "@modelcontextprotocol/server-postgres@0.6.2",
    args: ["postgres://127.0.0.1:1/none"],
    tool: "query",
    params: { sql: "select 1" },
  },
  { package: "duckduckgo-mcp-server@0.1.2", tool: "duckduckgo_web_search", params: QUERY },
  { package: "hn-mcp@1.0.0", tool: "browse_stories", params: { limit: 1 } },
  {
    package: "mcp-graphql@2.0.4",
    env: { ENDPOINT: "http://127.0.0.1:1/graphql" },
    tool: "query-graphql",
    params: { query: "{ a }" },
  },
  {
    package: "server-perplexity-ask@0.1.3",
    env: { PERPLEXITY_API_KEY: "none" },
    tool: "perplexity_ask",
    params: { messages: [{ role: "user", content: "Hello" }] },
  },
  {
    package: "tavily-mcp@0.2.22",
    env: { TAVILY_API_KEY: "none" },
    tool: "tavily_search",
    params: QUERY,
  },
  {
    package: "@upstash/context7-mcp@4.1.1",
    tool: "resolve-library-id",
    params: { query: "react", libraryName: "react" },
  },
];
