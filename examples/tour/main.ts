// The tour that `npm start` plays: a small shop's operations, called the way an agent calls them.
import assert from "node:assert/strict";
import { createWaybill, defineOperation, fail } from "@waybill/core";

const stock = new Map([
  ["apple", 12],
  ["pear", 0],
]);

const view = defineOperation({
  id: "stock.view",
  description: "How many of an item are in stock.",
  effect: "read",
  input: { type: "object", required: ["item"], properties: { item: { enum: ["apple", "pear"] } } },
  output: {
    type: "object",
    required: ["item", "count"],
    properties: { item: { type: "string" }, count: { type: "integer" } },
  },
  handler: ({ item }) => ({ item, count: stock.get(item) ?? 0 }),
});

const order = defineOperation({
  id: "stock.order",
  description: "Take items out of the stock.",
  effect: "write",
  aliases: { quantity: ["count", "amount"] },
  input: {
    type: "object",
    required: ["item"],
    properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1, default: 1 } },
  },
  handler({ item, quantity = 1 }) {
    const count = stock.get(item) ?? 0;
    const left = count - quantity;
    if (left < 0) {
      throw fail("CONFLICT", `Only ${count} of ${item} left`, { outcome: "not_applied" });
    }
    stock.set(item, left);
    return { item, left };
  },
});

const slow = defineOperation({
  id: "stock.count",
  description: "Count everything by hand.",
  effect: "read",
  handler: (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
});

const waybill = createWaybill({ operations: [view, order, slow] });

async function show(title: string, answer: unknown): Promise<void> {
  console.log(`\n# ${title}\n${JSON.stringify(await answer, null, 2)}`);
}

console.log("Waybill: describe an operation once, call it one way, get one envelope back.");

await show("What can be called?", waybill.list_capabilities());
await show("How is stock.order called?", waybill.explain("stock.order"));

const read = await waybill.execute("stock.view", { item: "apple" }, { trace: true });
await show("A read, with its trace", read);
assert.deepEqual(read.data, { item: "apple", count: 12 });

const wrongValue = await waybill.execute("stock.view", { item: "aple" });
await show("A wrong value: the answer carries the allowed ones", wrongValue);
assert.equal(wrongValue.error?.code, "VALIDATION");

const wrongId = await waybill.execute("stock.vew", { item: "apple" });
await show("A wrong id: the answer names the nearest", wrongId);
assert.deepEqual(wrongId.error?.details?.["did_you_mean"], ["stock.view"]);

const write = await waybill.execute("stock.order", { item: "apple", count: "2" });
await show("A write, by a name an agent might guess and a number sent as text", write);
assert.deepEqual(write.data, { item: "apple", left: 10 });

const refused = await waybill.execute("stock.order", { item: "pear" });
await show("A failure the handler explains", refused);
assert.equal(refused.error?.code, "CONFLICT");
assert.equal(refused.error?.details?.["outcome"], "not_applied");

const late = await waybill.execute("stock.count", {}, { deadline_ms: 50 });
await show("A handler that never ends, with a deadline", late);
assert.equal(late.error?.code, "TIMEOUT");

console.log("\nRead on: README.md, docs/, examples/");
