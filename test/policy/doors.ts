import {
  PendingRequestMap,
  buildCallHandler,
  agentErrorCode,
  errorFromUnknown,
} from "@waybill/core";
import { inProcessTransport, wireWaybill } from "@waybill/core/protocol";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { createMcpHttpHandler } from "@waybill/mcp/server";
import { toolDefinitions } from "@waybill/mcp/tools";
import { createHttpApp } from "@waybill/server";
import type { CodeDoor } from "@waybill/server";
import { codeText } from "@waybill/code";
import { call, connectTo } from "../../packages/mcp/src/server/fixtures/clients.ts";
import { runner } from "./shop.ts";

/** Calls an operation in one way. Returns the error code, or undefined if it succeeded. */
export type Door = (waybill: Waybill, id: string) => Promise<string | undefined>;

const HOST = "http://127.0.0.1:8080";

function doorErrorCode({ error }: Pick<ResultEnvelope, "error">): string | undefined {
  return error?.code;
}

async function codeOfThrown(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return agentErrorCode(errorFromUnknown(thrown));
  }
}

async function first(events: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of events) return event;
  return undefined;
}

/** A failed inner call fails the outer one, whose error keeps the facts of the inner error. */
async function within(waybill: Waybill, id: string, task: string): Promise<string | undefined> {
  return doorErrorCode(await waybill.execute(id, { task }));
}

const code: CodeDoor = { run: (...given) => runner.run(...given), text: codeText };

async function http(waybill: Waybill, path: string, body?: object): Promise<string | undefined> {
  const app = createHttpApp({ waybill, version: "0.0.0", hosts: ["127.0.0.1"], code });
  const request = new Request(`${HOST}${path}`, {
    headers: { host: "127.0.0.1:8080", "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await (await app.fetch(request)).text();
  return /"code":"(\w+)"/u.exec(text)?.[1];
}

async function mcp(waybill: Waybill, tool: string, args: object, tools: string[] = []) {
  const handler = createMcpHttpHandler({ waybill, version: "0.0.0", tools, code });
  const client = await connectTo(handler, "2026-07-28");
  try {
    const { text } = await call(client, tool, args);
    return /"code":"(\w+)"/u.exec(text)?.[1];
  } finally {
    await handler.close();
  }
}

function programText(id: string): string {
  return `return await ${id}({});`;
}

async function overProtocol(waybill: Waybill, id: string, params: object) {
  const { registry } = await wireWaybill(waybill);
  const callMap = new PendingRequestMap({ transport: inProcessTransport() });
  callMap.serve(buildCallHandler({ registry, callMap }), () => registry.list());
  return callMap.call(id, params);
}

/** All ways to call, except those that need an external server. */
export const DOORS: Readonly<Record<string, Door>> = {
  execute: async (waybill, id) => doorErrorCode(await waybill.execute(id)),
  executeTask: async (waybill, id) => doorErrorCode(await waybill.executeTask(id)),
  "execute with an identity": async (waybill, id) =>
    doorErrorCode(await waybill.as({ id: "ada", scopes: ["*"] }).execute(id)),
  "a dry run": async (waybill, id) =>
    doorErrorCode(await waybill.execute(id, {}, { dry_run: true })),
  "a keyed call": async (waybill, id) =>
    doorErrorCode(await waybill.execute(id, {}, { idempotency_key: "k" })),
  "a step of a chain": async (waybill, id) =>
    doorErrorCode((await waybill.chain([{ task: id }])).results[0]!),
  "a card of steps": async (waybill) => doorErrorCode(await waybill.execute("via.steps")),
  "a handler's context.call": (waybill, id) => within(waybill, "via.call", id),
  "a handler's context.env": (waybill, id) => within(waybill, "via.env", id),
  "a program": async (waybill, id) => doorErrorCode(await runner.run(waybill, programText(id), {})),
  "a saved program": async (waybill) => doorErrorCode(await waybill.execute("via.program")),
  "HTTP code": (waybill, id) => http(waybill, "/v1/code", { code: programText(id) }),
  "the MCP tool code": (waybill, id) => mcp(waybill, "code", { code: programText(id) }),
  subscribe: (waybill, id) => codeOfThrown(first(waybill.subscribe(id))),
  "HTTP execute": (waybill, id) => http(waybill, `/v1/execute/${id}`, { params: {} }),
  "HTTP chain": (waybill, id) => http(waybill, "/v1/chain", { steps: [{ task: id }] }),
  "HTTP subscribe": (waybill, id) => http(waybill, `/v1/subscribe/${id}`),
  "MCP execute": (waybill, id) => mcp(waybill, "execute", { capability_id: id, params: {} }),
  "MCP chain": (waybill, id) => mcp(waybill, "chain", { steps: [{ task: id }] }),
  "an MCP tool": (waybill, id) => mcp(waybill, id.replaceAll(".", "_"), {}, ["*"]),
  "a model provider's tool": async (waybill, id) => {
    const { run } = await toolDefinitions(waybill, { format: "anthropic" });
    const { text } = await run("execute", { capability_id: id });
    return /"code":"(\w+)"/u.exec(text)?.[1];
  },
  "waybill.execute of the call protocol": async (waybill, id) => {
    const { data } = await overProtocol(waybill, "waybill.execute", { capability_id: id });
    return doorErrorCode(data as ResultEnvelope);
  },
  "an id of the call protocol": (waybill, id) => codeOfThrown(overProtocol(waybill, id, {})),
};
