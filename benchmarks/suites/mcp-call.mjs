// @ts-check
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createWaybill } from "@waybill/core";
import { mcpSource } from "@waybill/mcp/client";
import { interleave, median } from "../lib/measure.mjs";
import { installedVersion } from "../lib/report.mjs";

/** @typedef {import("../lib/measure.mjs").Contender} Contender */
/** @typedef {import("../lib/work.mjs").Sum} Sum */
/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {{ contender: Contender, close: () => Promise<unknown> }} Started */

export const title = "A call to an MCP server on standard streams";

const MAX_OVER_MS = 1;
const server = fileURLToPath(new URL("../lib/mcp-server.mjs", import.meta.url));
const version = installedVersion("@modelcontextprotocol/client");

/** The sum of all results when the calls are add(0, 1), add(1, 1), … @param {number} count */
const expected = (count) => (count * (count - 1)) / 2 + count;

/** @typedef {"2025-11-25" | "2026-07-28"} Protocol */

const clientInfo = { name: "bench", version: "1.0.0" };

/** Fields that every request of the newer protocol contains. */
const facts = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/**
 * The server's own time: messages are written and read without a client.
 * @param {Protocol} protocol @returns {Promise<Started>}
 */
async function byHand(protocol) {
  const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "inherit"] });
  /** @type {(line: string) => void} */
  let receive = String;
  createInterface({ input: child.stdout }).on("line", (line) => receive(line));
  /** @param {object} message @returns {Promise<string>} */
  const ask = (message) =>
    new Promise((resolve) => {
      receive = resolve;
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    });
  const isOlder = protocol === "2025-11-25";
  if (isOlder) {
    const params = { protocolVersion: protocol, capabilities: {}, clientInfo };
    await ask({ id: "start", method: "initialize", params });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  const contender = {
    name: `the server alone: a line written, a line read, ${protocol}`,
    /** @param {number} count */
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) {
        const call = { name: "add", arguments: { a, b: 1 }, ...(!isOlder && { _meta: facts }) };
        const line = await ask({ id: a, method: "tools/call", params: call });
        const { result } = /** @type {{ result: { structuredContent: Sum } }} */ (JSON.parse(line));
        sum += result.structuredContent.sum;
      }
      return sum;
    },
  };
  return { contender, close: async () => child.kill() };
}

/** @param {Protocol} protocol @returns {Promise<Started>} */
async function bySdk(protocol) {
  const mode = protocol === "2025-11-25" ? "legacy" : { pin: protocol };
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
  await client.listTools();
  const contender = {
    name: `MCP SDK ${version} \`callTool\`, ${protocol}`,
    /** @param {number} count */
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) {
        const result = await client.callTool({ name: "add", arguments: { a, b: 1 } });
        sum += /** @type {Sum} */ (result.structuredContent).sum;
      }
      return sum;
    },
  };
  return { contender, close: () => client.close() };
}

/** @param {Protocol} protocol @returns {Promise<Started>} */
async function byWaybill(protocol) {
  const settings = { name: "math", command: process.execPath, args: [server], protocol };
  const waybill = createWaybill({ sources: [mcpSource(settings)] });
  await waybill.execute("math.add", { a: 0, b: 1 });
  const contender = {
    name: `\`execute()\` over \`mcpSource\`, ${protocol}`,
    /** @param {number} count */
    async run(count) {
      let sum = 0;
      for (let a = 0; a < count; a++) {
        const { data } = await waybill.execute("math.add", { a, b: 1 });
        sum += /** @type {Sum} */ (data).sum;
      }
      return sum;
    },
  };
  return { contender, close: () => waybill.close() };
}

/**
 * Measures a protocol by hand, with the SDK and with Waybill in the same rounds, and the time each
 * adds to the server's time.
 * @param {Protocol} protocol
 * @param {{ rounds: number, sliceMs: number }} options
 * @returns {Promise<Row[]>}
 */
async function measureProtocol(protocol, options) {
  const started = [await byHand(protocol), await bySdk(protocol), await byWaybill(protocol)];
  const contenders = started.map(({ contender }) => contender);
  const times = await interleave(contenders, { ...options, expected });
  for (const { close } of started) await close();
  return contenders.flatMap(({ name }, index) => {
    const row = { name, value: median(times[index]) / 1e6, unit: "ms" };
    if (index === 0) return [row];
    const over = median(times[index].map((time, round) => time - times[0][round])) / 1e6;
    const more = { name: "… over the server's own time", value: over, unit: "ms" };
    if (index === 1) return [row, more];
    return [row, { ...more, target: `≤ ${MAX_OVER_MS} ms`, met: over <= MAX_OVER_MS }];
  });
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const options = quick ? { rounds: 5, sliceMs: 50 } : { rounds: 31, sliceMs: 200 };
  const rows = [
    ...(await measureProtocol("2025-11-25", options)),
    ...(await measureProtocol("2026-07-28", options)),
  ];
  const notes = [
    `Medians of ${options.rounds} interleaved rounds, one call after the other; differences are taken within a round.`,
    "The server is the SDK's own, which checks input and output. Its time includes both pipes.",
  ];
  return { rows, notes };
}
