// Turns two functions into operations. One calls the other with the rights of the original caller.
import assert from "node:assert/strict";
import { createWaybill, defineOperation } from "@waybill/core";

const rate = defineOperation({
  id: "currency.rate",
  description: "The exchange rate between two currencies.",
  effect: "read",
  access: { all: ["rates:read"] },
  input: {
    type: "object",
    required: ["from", "to"],
    properties: { from: { enum: ["EUR", "USD"] }, to: { enum: ["EUR", "USD"] } },
  },
  output: { type: "number" },
  handler: ({ from, to }) => (from === to ? 1 : from === "EUR" ? 1.1 : 0.9),
});

const convert = defineOperation({
  id: "currency.convert",
  description: "Convert an amount of money.",
  effect: "read",
  input: {
    type: "object",
    required: ["amount", "from", "to"],
    properties: {
      amount: { type: "number" },
      from: { type: "string" },
      to: { type: "string" },
    },
  },
  async handler({ amount, from, to }, context) {
    const { data } = await context.env["currency"]!["rate"]!({ from, to });
    return { amount: amount * Number(data), currency: to };
  },
});

const waybill = createWaybill({ operations: [rate, convert] });
const clerk = waybill.as({ id: "clerk", scopes: ["rates:read"] });
const guest = waybill.as({ id: "guest", scopes: [] });

const found = await waybill.list_capabilities({ query: "exchange rate" });
assert.equal(found[0]?.capability_id, "currency.rate");

const params = { amount: 10, from: "EUR", to: "USD" };
const converted = await clerk.execute("currency.convert", params);
assert.deepEqual(converted.data, { amount: 11, currency: "USD" });

// The guest may call `currency.convert`. The nested call of `currency.rate` is refused, because it runs
// with the guest's scopes, which do not include `rates:read`.
const denied = await guest.execute("currency.convert", params);
assert.equal(denied.error?.code, "POLICY");

console.log(JSON.stringify(converted));
console.log(JSON.stringify(denied.error));
