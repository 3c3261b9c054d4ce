import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCodeWorld } from "../support/code-world.ts";
import type { CodeWorld } from "../support/code-world.ts";

let world: CodeWorld;
beforeAll(async () => {
  world = await openCodeWorld();
});
afterAll(() => world.close());

const MANY = 100;

it("the signatures of the GitHub capabilities have at most 45 tokens on average", async () => {
  const ids = (await world.waybill.operations())
    .filter(({ exposed, kind }) => exposed !== false && kind === "call")
    .map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(MANY);
  const program = `return Promise.all(${JSON.stringify(ids)}.map((id) => waybill.signature(id)))`;
  const result = await world.runner.run(world.waybill, program);
  expect(result.error).toBeNull();
  const signatures = (result.data as { value: string[] }).value;
  const tokens = signatures.reduce((sum, text) => sum + encode(text).length, 0);
  expect(tokens / signatures.length).toBeLessThanOrEqual(45);
});
