// Checks every tool for every kind of client against the rules of its models.
import { openapiSource } from "@waybill/adapters/openapi";
import { openGraphTools } from "@waybill/codegraph";
import { createWaybill } from "@waybill/core";
import { createMcpHttpHandler, toolProblems } from "@waybill/mcp/server";
import type { ToolDefinition, ToolFormat } from "@waybill/mcp/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDescription } from "../packages/github/src/description/index.ts";

const ALL: readonly ToolFormat[] = ["anthropic", "openai", "gemini"];
const CLIENTS: readonly (readonly [string, readonly ToolFormat[]])[] = [
  ["claude-code", ["anthropic"]],
  ["codex-mcp-client", ["openai"]],
  ["gemini-cli-mcp-client", ["gemini"]],
  ["Visual Studio Code", ALL],
];

/** The metadata of every request in the newer protocol version. */
function facts(name: string): object {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}

function listRequest(client: string): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      host: "localhost",
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { _meta: facts(client) },
    }),
  });
}

/** GitHub's whole API, the code graph and the four main tools: more than a thousand tools. */
async function serveEverything(): Promise<(client: string) => Promise<ToolDefinition[]>> {
  const github = openapiSource({ name: "github", document: await loadDescription() });
  const waybill = createWaybill({ sources: [github] });
  const toolbox = openGraphTools({ root: import.meta.dirname });
  const handler = createMcpHttpHandler({ waybill, version: "0.0.0", tools: ["*"], toolbox });
  onTestFinished(async () => {
    await handler.close();
    await toolbox.close();
    await waybill.close();
  });
  return async (client) => {
    const answer = await handler.fetch(listRequest(client));
    const { result } = (await answer.json()) as { result: { tools: ToolDefinition[] } };
    return result.tools;
  };
}

describe("tool formats", () => {
  it("Waybill's MCP server has only tools that the models behind each client accept", async () => {
    const listFor = await serveEverything();
    for (const [client, formats] of CLIENTS) {
      const tools = await listFor(client);
      expect(tools.length).toBeGreaterThan(1_200);
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
      const problems = formats.flatMap((format) =>
        tools.flatMap((tool) => toolProblems(format, tool).map((why) => `${tool.name}: ${why}`)),
      );
      expect([client, problems.slice(0, 5)]).toEqual([client, []]);
    }
  });
});
