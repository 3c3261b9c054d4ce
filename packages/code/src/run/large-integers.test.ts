import { createWaybill, defineOperation } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { createCodeRunner } from "./index.ts";

const LARGE = "12345678901234567890";
const runner = createCodeRunner();
afterAll(() => runner.close());

/** A program that calls an operation which sends decimal strings as exact digits. */
async function run(program: string) {
  const seen: unknown[] = [];
  const { spec, run: handled } = defineOperation({
    id: "thing.view",
    description: "View a thing",
    effect: "read",
    input: {
      type: "object",
      properties: { id: { type: "integer" }, list: { type: "array", items: { type: "integer" } } },
    },
    handler: (input) => seen.push(input),
  });
  const waybill = createWaybill({
    operations: [{ spec: { ...spec, takesDigits: true }, run: handled }],
  });
  return { result: await runner.run(waybill, program, {}), seen };
}

describe("an integer beyond 2^53 in a program", () => {
  it("a program can pass an integer beyond 2^53 as a string of digits", async () => {
    const { result, seen } = await run(`await thing.view({ id: "${LARGE}" })`);
    expect([result.error, seen]).toEqual([null, [{ id: LARGE }]]);
  });

  it.each([
    [`await thing.view({ id: ${LARGE} })`, "id"],
    [`await thing.view({ list: [1, -${LARGE}] })`, "list/1"],
  ])(
    "a run refuses an integer beyond 2^53 that a program passes as a number, before it sends anything: %s",
    async (program, path) => {
      const { result, seen } = await run(program);
      const message = `"${path}" of thing.view has more digits than a JavaScript number can hold.`;
      expect(result.error?.message).toContain(message);
      expect(seen).toEqual([]);
    },
  );
});
