import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { memoryRunLog } from "../log/index.ts";
import { createCodeRunner } from "./index.ts";

const runner = createCodeRunner({ log: memoryRunLog() });
afterAll(() => runner.close());

describe("a program", () => {
  it("calls capabilities by reference and input", async () => {
    const { waybill } = openShop();
    const program = 'const o = await order.view("octo/shop#3"); return [o.number, o.title]';
    const result = await runner.run(waybill, program);
    expect(result).toMatchObject({ ok: true, data: { value: [3, "Order 3"] } });
    expect(result.meta.capability_id).toBe("code.run");
  });
  it("writes", async () => {
    const { waybill, applied } = openShop();
    const result = await runner.run(waybill, 'await order.note("octo/shop#3", { body: "hi" })');
    expect(result).toMatchObject({ ok: true, data: { value: { id: "n1" } } });
    expect(applied).toEqual(["note 3 hi"]);
  });

  it("a program cannot make the answer tell of writes, keys or approvals by an error of its own", async () => {
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
