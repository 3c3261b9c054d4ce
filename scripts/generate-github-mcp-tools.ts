import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./run.mjs";

interface Tool {
  readonly about: string;
  readonly use: readonly string[];
  readonly methods?: Readonly<Record<string, string>>;
}

const INTRODUCTION = `# From GitHub's MCP server to Waybill

Replace the tools of GitHub's MCP server. The table lists each tool of version 1.10.1 and the capabilities that do the same. An id that begins with
\`github.\` is an operation of GitHub's REST API; \`waybill capabilities search <words>\` finds it and
\`waybill run <id>\` calls it. Use \`github.graphql\` for the rest: it runs a GraphQL
document of your own. A test checks that every id exists.
`;

async function readTools(): Promise<[name: string, tool: Tool][]> {
  const text = await readFile(join(root, "packages/github/mcp-tools.yaml"), "utf8");
  return Object.entries(parse(text) as Readonly<Record<string, Tool>>);
}

/** The alias ids that a tool gives to capabilities: its name, or its name with each method. */
function otherIds([name, { use, methods }]: [string, Tool]): (readonly [
  id: string,
  other: string,
])[] {
  const byMethod = Object.entries(methods ?? {}).map(
    ([method, id]) => [id, `${name}?method=${method}`] as const,
  );
  // For a tool with several methods, its bare name is not an alias: it only suggests capabilities.
  const meant = methods === undefined ? use.slice(0, 1) : use;
  return [...byMethod, ...meant.map((id) => [id, name] as const)];
}

/** The tool names by capability, so that each name becomes an alias id. */
export async function renderToolNames(): Promise<string> {
  const byId: Record<string, string[]> = {};
  for (const [id, other] of (await readTools()).flatMap(otherIds)) (byId[id] ??= []).push(other);
  return `// Generated from mcp-tools.yaml by \`npm run generate\`. Do not edit.

/** The tools of GitHub's MCP server that do the same as a capability, by its id. */
export const toolNames: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(byId)};
`;
}

/** The table of tools, from packages/github/mcp-tools.yaml. */
export async function renderGithubMcpTools(): Promise<string> {
  const tools = await readTools();
  const rows = tools.map(
    ([name, { about, use }]) =>
      `| \`${name}\` | ${about} | ${use.map((id) => `\`${id}\``).join(", ")} |`,
  );
  const head = "| tool | what it does | capabilities |\n| -- | -- | -- |";
  return `${INTRODUCTION}\n${head}\n${rows.join("\n")}\n`;
}
