import type { Connection } from "../connect.ts";
import { rawOf } from "../wire/stand-in.ts";
import { readTool } from "./tool.ts";
import type { Tool } from "./tool.ts";

/**
 * Everything a server offers, by name. The SDK walks the pages and leaves out, as the protocol
 * demands, a tool that asks for impossible headers; what is taken of the others is what came.
 */
export async function listTools({ client }: Connection, timeout: number): Promise<Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, { timeout, cacheMode: "bypass" });
  const read = tools.map((tool) => readTool(rawOf(tool))).filter((tool) => tool !== undefined);
  const byName = new Map(read.map((tool) => [tool.name, tool]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
