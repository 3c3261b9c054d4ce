import type { Operation } from "@waybill/core";
import type { McpSourceSettings } from "./settings.ts";
import { mcpSource } from "./source.ts";

/** The tools of a server as operations, which can be registered one by one. */
export interface MCPClient {
  readonly name: string;
  readonly operations: readonly Operation[];
  close(): Promise<void>;
}

/**
 * Connects to a server and creates an operation for every tool. `mcpSource` does this when needed.
 */
export async function createMCPClient(settings: McpSourceSettings): Promise<MCPClient> {
  const source = mcpSource(settings);
  try {
    const specs = await source.list();
    const operations = specs.map(({ id }) => ({
      spec: source.describe(id),
      run: source.runOf(id),
    })) satisfies Operation[];
    return { name: source.name, operations, close: () => source.close() };
  } catch (error) {
    await source.close();
    throw error;
  }
}
