// @ts-check
// node http-server.mjs bare|waybill: listens on a free port of this machine and prints it.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createWaybill, defineOperation } from "@waybill/core";
import { startHttpServer } from "@waybill/server";
import { Hono } from "hono";
import { ANSWER, TOKEN } from "./http-load.mjs";

const view = defineOperation({
  id: "item.view",
  description: "View an item",
  effect: "read",
  input: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  output: {
    type: "object",
    required: ["id", "title"],
    properties: { id: { type: "integer" }, title: { type: "string" } },
  },
  handler: (/** @type {{ id: number }} */ { id }) => ({ id, title: `Item ${id}` }),
});

async function startWaybill() {
  const { url } = await startHttpServer({
    waybill: createWaybill({ operations: [view] }),
    version: "0.0.0",
    tokens: [{ token: TOKEN, identity: { id: "bench", scopes: [] } }],
    limits: { perSecond: 1e9, burst: 1e9 },
  });
  return new URL(url).port;
}

/** The smallest possible server: one route with a fixed answer. */
async function startBare() {
  const app = new Hono();
  const headers = { "content-type": "application/json; charset=utf-8" };
  app.post("/v1/execute/:id", (context) => context.body(ANSWER, 200, headers));
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return String(address.port);
}

console.log(process.argv[2] === "bare" ? await startBare() : await startWaybill());

// The parent asks for the heap size after a garbage collection.
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
