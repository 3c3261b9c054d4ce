import { createWaybill, defineOperation, localEnvelope } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { memoryRunLog } from "../log/index.ts";
import { createCodeRunner } from "./index.ts";

const runner = createCodeRunner({ log: memoryRunLog() });
afterAll(() => runner.close());

describe("code.run", () => {
  it("a program calls a capability with a reference such as octo/shop#1 and an input", async () => {
    const { waybill } = openShop();
    const program = 'const o = await order.view("octo/shop#3"); return [o.number, o.title]';
    const result = await runner.run(waybill, program);
    expect(result).toMatchObject({ ok: true, data: { value: [3, "Order 3"] } });
    expect(result.meta.capability_id).toBe("code.run");
  });
  it("a run reports a warning that several of its calls return once", async () => {
    const search = defineOperation({
      id: "shop.search",
      description: "Search orders",
      effect: "read",
      input: { type: "object", properties: {} },
      handler: () => {
        const envelope = localEnvelope([], "shop.search");
        const warnings = ["Results are missing", "Answered by the embedded shop"];
        return { ...envelope, meta: { ...envelope.meta, warnings } };
      },
    });
    const waybill = createWaybill({ operations: [search] });
    const program = "await shop.search(); return (await shop.search()).length";
    const { data, meta } = await runner.run(waybill, program);
    expect(data).toMatchObject({ value: 0 });
    expect(meta.warnings).toEqual(["shop.search: Results are missing"]);
  });
  it("a program can call an alias id whose first part no capability id has", async () => {
    const { spec, run } = openShop().operations[0]!;
    const alsoCalled = ["order.get", "orders.get-by-number"];
    const waybill = createWaybill({ operations: [{ spec: { ...spec, alsoCalled }, run }] });
    const program = `const [a, b] = [await order.get("octo/shop#3"), await orders.getByNumber("octo/shop#4")];
      return [a.number, b.number]`;
    const { data, meta } = await runner.run(waybill, program);
    expect(data).toEqual({ value: [3, 4] });
    expect(meta.warnings).toEqual([
      "order.get means order.view",
      "orders.getByNumber means order.view",
    ]);
    const own = 'orders = [await order.view("octo/shop#1")]; return orders.length';
    expect((await runner.run(waybill, own)).data).toEqual({ value: 1 });
  });
  it("a program can call a write, and the write is applied once", async () => {
    const { waybill, applied } = openShop();
    const result = await runner.run(waybill, 'await order.note("octo/shop#3", { body: "hi" })');
    expect(result).toMatchObject({ ok: true, data: { value: { id: "n1" } } });
    expect(applied).toEqual(["note 3 hi"]);
  });

  it("an error that a program throws cannot pretend that the run made writes or has a key or an approval", async () => {
    const { waybill } = openShop();
    const program = `const error = new Error("own");
      error.code = "NETWORK";
      error.callNumber = 1;
      error.details = { writes: { applied: { "order.note": 5 } }, key: "k", approve: "a", seen: 1 };
      throw error`;
    const { error } = await runner.run(waybill, program);
    expect(error).toMatchObject({ code: "NETWORK", details: { outcome: "not_applied", seen: 1 } });
    expect(Object.keys(error?.details ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/writes|key|approve/)]),
    );
  });
});
