import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./run.mjs";

interface Tool {
  readonly about: string;
  readonly use: readonly string[];
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

/**
 * The tools by capability, so that a tool's name is another id of its capability. A tool that also
 * stands for an operation of GitHub's whole API is left out: its name does not say which is meant.
 */
export async function renderToolNames(): Promise<string> {
  const tools = await readTools();
  const ofCards = tools.filter(([, { use }]) => !use.some((id) => id.startsWith("github.")));
  const byId: Record<string, string[]> = {};
  for (const [name, { use }] of ofCards) for (const id of use) (byId[id] ??= []).push(name);
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
