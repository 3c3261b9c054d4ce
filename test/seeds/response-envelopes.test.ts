import { createWaybill, defineSubscription } from "@waybill/core";
import { describe, expect, it } from "vitest";

/** A Standard Schema that takes a number as text and gives the number. */
const numberAsText = {
  "~standard": {
    version: 1,
    vendor: "test",
    jsonSchema: {
      input: () => ({ type: "object", properties: { n: { type: "string" } } }),
      output: () => ({ type: "object", properties: { n: { type: "number" } } }),
    },
    validate: (value: unknown) =>
      typeof (value as { n?: unknown }).n === "string"
        ? { value: { n: Number((value as { n: string }).n) } }
        : { issues: [{ message: "must be a string", path: ["n"] }] },
  },
} as const;

describe("subscribe", () => {
  it("reads an input that its schema changes once, as a call does", async () => {
    const follow = defineSubscription({
      id: "number.follow",
      description: "Counts from a number",
      effect: "read",
      input: numberAsText,
      async *handler(input) {
        yield input;
      },
    });
    const waybill = createWaybill({ operations: [follow] });
    const seen: unknown[] = [];
    for await (const { data } of waybill.subscribe("number.follow", { n: "5" })) seen.push(data);
    expect(seen).toEqual([{ n: 5 }]);
  });
});
