import { createWaybill, defineOperation, fail } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { createCodeRunner } from "./index.ts";

const runner = createCodeRunner({ pool: { size: 2 } });
afterAll(() => runner.close());

/** A local function that runs a program, which calls the function again until `left` is 0. */
function openNested(): { waybill: Waybill; started: () => number } {
  let count = 0;
  const run = defineOperation({
    id: "nested.run",
    description: "Run a program that calls this function",
    effect: "read",
    input: { type: "object", properties: { left: { type: "integer" } }, required: ["left"] },
    handler: async ({ left }) => {
      count += 1;
      if (left === 0) return "the end";
      const program = `return await nested.run({ left: ${left - 1} })`;
      const { ok, data, error } = await runner.run(waybill, program);
      if (!ok) throw fail(error.code, error.message);
      return (data as { value: unknown }).value;
    },
  });
  const waybill: Waybill = createWaybill({ operations: [run] });
  return { waybill, started: () => count };
}

describe("programs inside functions", () => {
  it("programs and operations may call each other in more levels than there are worker threads", async () => {
    const { waybill } = openNested();
    const { data } = await runner.run(waybill, "return await nested.run({ left: 6 })");
    expect(data).toEqual({ value: "the end" });
  });

  it("a run stops a program and an operation that call each other without end", async () => {
    const { waybill, started } = openNested();
    const { error } = await runner.run(waybill, "return await nested.run({ left: 1e6 })");
    expect(error?.message).toContain("Programs call each other more than 8 levels deep");
    expect(started()).toBeLessThan(15);
  });

  it("many independent programs that wait for calls at the same time all finish", async () => {
    const { waybill } = openNested();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => runner.run(waybill, "return await nested.run({ left: 2 })")),
    );
    expect(all.map(({ data }) => data)).toEqual(all.map(() => ({ value: "the end" })));
  });
});
