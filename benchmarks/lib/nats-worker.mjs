// @ts-check
// The worker for measuring calls over NATS: <server> <key>
import { connect } from "@nats-io/transport-node";
import { OperationRegistry, createWaybill, defineOperation } from "@waybill/core";
import { connectNats, serveNats } from "@waybill/nats";
import { add } from "./work.mjs";

/** @typedef {import("./work.mjs").Input} Input */

const [servers = "", key = ""] = process.argv.slice(2);

const operation = defineOperation({
  id: "math.add",
  description: "Adds two numbers",
  effect: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  access: { all: ["math:use"] },
  handler: add,
});

const plain = await connect({ servers });
plain.subscribe("plain.add", {
  queue: "plain",
  callback: (_error, message) => {
    const input = /** @type {Input} */ (message.json());
    message.respond(JSON.stringify({ sum: input.a + input.b }));
  },
});
await plain.flush();

const registry = new OperationRegistry();
registry.register(operation);
await serveNats(await connectNats({ servers, key, service: "registry" }), registry);
const waybill = createWaybill({ operations: [operation] });
await serveNats(await connectNats({ servers, key, service: "waybill" }), waybill);
process.send?.("ready");
