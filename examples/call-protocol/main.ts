// The call protocol sends requests, answers and subscriptions as events. Both ends are in this process.
import assert from "node:assert/strict";
import {
  OperationRegistry,
  PendingRequestMap,
  buildCallHandler,
  buildEnv,
  defineOperation,
  defineSubscription,
  unwrap,
} from "@waybill/core";
import { inProcessTransport } from "@waybill/core/protocol";

const registry = new OperationRegistry();
registry.register(
  defineOperation({
    id: "greeting.say",
    description: "Greet someone.",
    effect: "read",
    input: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    output: { type: "string" },
    handler: ({ name }) => `Hello, ${name}`,
  }),
);
registry.register(
  defineSubscription({
    id: "clock.ticks",
    description: "Count upwards.",
    effect: "read",
    async *handler() {
      for (let tick = 1; ; tick++) yield tick;
    },
  }),
);

const transport = inProcessTransport();
const server = new PendingRequestMap({ transport });
server.serve(buildCallHandler({ registry, callMap: server }), () => registry.list());

const events: string[] = [];
const caller = new PendingRequestMap({ transport, observe: ({ type }) => events.push(type) });

const greeting = await caller.call(
  "greeting.say",
  { name: "Ada" },
  { deadline: Date.now() + 60_000 },
);
assert.equal(unwrap(greeting), "Hello, Ada");

const env = buildEnv(caller);
assert.equal(unwrap(await env["greeting"]!["say"]!({ name: "Grace" })), "Hello, Grace");

const ticks: unknown[] = [];
for await (const { data, meta } of caller.subscribe("clock.ticks")) {
  ticks.push([data, meta.sequence]);
  if (ticks.length === 3) break;
}
assert.deepEqual(ticks, [
  [1, 0],
  [2, 1],
  [3, 2],
]);
assert.deepEqual(events, ["call.requested", "call.requested", "call.requested"]);

console.log(JSON.stringify(greeting.data), JSON.stringify(ticks));
