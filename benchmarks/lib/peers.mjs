// @ts-check
// Peers of the local call. Each has its own loop, like our contenders.
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { createRouterClient, os } from "@orpc/server";
import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { installedVersion } from "./report.mjs";
import { add } from "./work.mjs";

/** @typedef {import("./measure.mjs").Contender} Contender */
/** @typedef {import("./work.mjs").Sum} Sum */

const zodInput = z.object({ a: z.number(), b: z.number() });
const zodOutput = z.object({ sum: z.number() });

/** @returns {Contender} */
export function orpc() {
  const procedure = os
    .input(zodInput)
    .output(zodOutput)
    .handler(({ input }) => add(input));
  const client = createRouterClient({ math: { add: procedure } }, { context: {} });
  return {
    name: `oRPC ${installedVersion("@orpc/server")} \`createRouterClient\``,
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) sum += (await client.math.add({ a, b: 1 })).sum;
      return sum;
    },
  };
}

/** @returns {Contender} */
export function trpc() {
  const t = initTRPC.create();
  const procedure = t.procedure
    .input(zodInput)
    .output(zodOutput)
    .query(({ input }) => add(input));
  const router = t.router({ math: t.router({ add: procedure }) });
  const caller = t.createCallerFactory(router)({});
  return {
    name: `tRPC ${installedVersion("@trpc/server")} \`createCaller\``,
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) sum += (await caller.math.add({ a, b: 1 })).sum;
      return sum;
    },
  };
}

/** @returns {Promise<Contender>} */
export async function mcp() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers", inputSchema: zodInput, outputSchema: zodOutput },
    async (input) => {
      const structuredContent = await add(input);
      return {
        content: [{ type: "text", text: String(structuredContent.sum) }],
        structuredContent,
      };
    },
  );
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
  // The client validates outputs only of listed tools.
  await client.listTools();
  return {
    name: `MCP SDK ${installedVersion("@modelcontextprotocol/server")} in-memory \`callTool\``,
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) {
        const result = await client.callTool({ name: "add", arguments: { a, b: 1 } });
        sum += /** @type {Sum} */ (result.structuredContent).sum;
      }
      return sum;
    },
  };
}
