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

/** The table of tools, from packages/github/mcp-tools.yaml. */
export async function renderGithubMcpTools(): Promise<string> {
  const text = await readFile(join(root, "packages/github/mcp-tools.yaml"), "utf8");
  const tools = Object.entries(parse(text) as Readonly<Record<string, Tool>>);
  const rows = tools.map(
    ([name, { about, use }]) =>
      `| \`${name}\` | ${about} | ${use.map((id) => `\`${id}\``).join(", ")} |`,
  );
  const head = "| tool | what it does | capabilities |\n| -- | -- | -- |";
  return `${INTRODUCTION}\n${head}\n${rows.join("\n")}\n`;
}
