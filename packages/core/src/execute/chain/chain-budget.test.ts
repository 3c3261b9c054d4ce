import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { memoryHandles } from "../../budget/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../waybill.ts";

const list = defineOperation({
  id: "item.list",
  description: "List items",
  effect: "read",
  input: { type: "object", properties: { count: { type: "integer" } } },
  output: { type: "object" },
  handler: ({ count = 1 }: { count?: number }) => ({
    items: Array.from({ length: count }, (_, id) => ({ id, title: `Item ${id} of a long list` })),
  }),
});
const waybill = createWaybill({ operations: [list], handles: memoryHandles() });
const step = (count: number) => ({ task: "item.list", input: { count } });

describe("max_tokens of a chain", () => {
  it("a chain over max_tokens cuts long results, keeps short results, and says how to read on", async () => {
    const steps = [step(2), step(900), step(900)];
    const chain = await waybill.chain(steps, { max_tokens: 3_000 });
    expect(encode(JSON.stringify(chain)).length).toBeLessThanOrEqual(3_000);
    expect(encode(JSON.stringify(chain)).length).toBeGreaterThan(2_000);
    const [short, ...long] = chain.results;
    expect(short?.meta.truncated).toBeUndefined();
    for (const { meta } of long) {
      const { capability_id, params } = meta.next![0]!;
      expect(await waybill.execute(capability_id, params)).toMatchObject({ ok: true });
    }
  });

  it("a chain step can use the part of an earlier result that max_tokens cut from the answer", async () => {
    const steps = [
      step(900),
      { task: "item.list", input: { count: { $from: "length(s0.data.items)" } } },
    ];
    const { results } = await waybill.chain(steps, { max_tokens: 1_000 });
    expect(results.map(({ meta }) => meta.truncated)).toEqual([true, true]);
    expect(results[1]?.meta.next?.[0]?.reason).toContain("of 900 shown");
  });

  it("a chain returns VALIDATION for a max_tokens that is too small", async () => {
    const { error } = await waybill.chain([step(1)], { max_tokens: 10 });
    expect(error).toMatchObject({ code: "VALIDATION" });
  });
});
