import { expectTypeOf, it } from "vitest";
import type { ResultEnvelope, ResultError } from "../../envelope/index.ts";
import type { Waybill } from "../index.ts";

declare const waybill: Waybill;

it("a chain returns an envelope for every step", async () => {
  const chain = await waybill.chain([{ task: "issue.view", input: { number: 1 } }]);
  expectTypeOf(chain.results).items.toEqualTypeOf<ResultEnvelope>();
  expectTypeOf(chain.error).toEqualTypeOf<ResultError | null>();
});

it("a chain refuses a step without a task and an unknown option", () => {
  // @ts-expect-error A step names its task.
  expectTypeOf(waybill.chain([{ input: {} }])).toBeObject();
  // @ts-expect-error A chain stops or continues.
  expectTypeOf(waybill.chain([], { on_error: "retry" })).toBeObject();
});
