// The interfaces of a Waybill that run in this process, each with its real protocol.
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { PendingRequestMap } from "@waybill/core";
import type { ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import { serveMcpStdio } from "@waybill/mcp/server";
import { connectNats, serveNats } from "@waybill/nats";
import { startHttpServer } from "@waybill/server";

export interface DoorCall {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: ExecuteOptions;
}

/**
 * Makes one call through an interface that it opens and closes; undefined if the caller was killed.
 */
export type Door = (waybill: Waybill, call: DoorCall) => Promise<ResultEnvelope | undefined>;

export type DoorName = "execute" | "chain" | "http" | "mcp" | "nats";

const execute: Door = (waybill, { id, params, options }) => waybill.execute(id, params, options);

/**
 * A step of a chain uses the first route, so the Waybill is configured to prefer the wanted one.
 */
const chain: Door = async (waybill, { id, params, options }) => {
  const { route: _route, ...others } = options;
  const { results } = await waybill.chain([{ task: id, input: params }], others);
  return results[0]!;
};

const http: Door = async (waybill, { id, params, options }) => {
  const server = await startHttpServer({ waybill, version: "0.0.0" });
  try {
    const response = await fetch(`${server.url}/v1/execute/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ params, options }),
    });
    return (await response.json()) as ResultEnvelope;
  } finally {
    await server.close();
  }
};

interface Message {
  readonly id?: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

/** The messages of an MCP client that calls one tool. */
export function mcpMessages({ id, params, options }: DoorCall): readonly object[] {
  const clientInfo = { name: "faults", version: "0.0.0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const call = { name: "execute", arguments: { capability_id: id, params, options } };
  return [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
  ];
}

/** The envelope in the lines that an MCP server writes; undefined if they end before. */
export async function mcpEnvelope(
  lines: AsyncIterable<string>,
): Promise<ResultEnvelope | undefined> {
  for await (const line of lines) {
    const { id, result } = JSON.parse(line) as Message;
    if (id === 2) return JSON.parse(result!.content[0]!.text) as ResultEnvelope;
  }
  return undefined;
}

const mcp: Door = async (waybill, call) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = serveMcpStdio({ waybill, version: "0.0.0", stdin, stdout });
  for (const message of mcpMessages(call)) stdin.write(`${JSON.stringify(message)}\n`);
  const envelope = await mcpEnvelope(createInterface(stdout));
  await server.close();
  return envelope!;
};

let services = 0;

/**
 * A generous time limit, because a busy machine may answer late, and these cells do not test that.
 */
const PATIENCE_MS = 120_000;

function natsDoor(servers: string): Door {
  return async (waybill, { id, params, options: asked }) => {
    const service = `faults-${process.pid}-${(services += 1)}`;
    const options = { servers, service, connection: { timeout: PATIENCE_MS } };
    const worker = await connectNats(options);
    const caller = await connectNats(options);
    try {
      await serveNats(worker, waybill);
      const calls = new PendingRequestMap({ transport: caller.transport });
      return await executeRemotely(calls, id, params, asked);
    } finally {
      await Promise.all([worker.close(), caller.close()]);
    }
  };
}

/** The interfaces that can be used here. NATS needs a server. */
export function doorsWith(natsUrl?: string): Readonly<Partial<Record<DoorName, Door>>> {
  return { execute, chain, http, mcp, ...(natsUrl !== undefined && { nats: natsDoor(natsUrl) }) };
}
