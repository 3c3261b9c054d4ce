import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Tool } from "@modelcontextprotocol/client";

/** What a model is shown of a tool: annotations are for its program. */
export function shownTool({ name, description, inputSchema }: Tool): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** A session with the real server over its standard streams. */
export class McpSession {
  readonly #client = new Client({ name: "benchmark", version: "1.0.0" });
  tools: Tool[] = [];

  async open(
    command: string,
    args: string[],
    cwd: string,
    env: Record<string, string>,
  ): Promise<void> {
    await this.#client.connect(new StdioClientTransport({ command, args, cwd, env }));
    this.tools = (await this.#client.listTools()).tools;
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const { content } = await this.#client.callTool({ name, arguments: args });
    return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
