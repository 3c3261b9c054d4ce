import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { ResultEnvelope } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Operation } from "../operation/index.ts";
import { localSource } from "../source/index.ts";
import { createWaybill } from "./index.ts";
import type { Waybill } from "./index.ts";

const view = defineOperation({
  id: "stock.view",
  description: "How many of an item are in stock",
  effect: "read",
  input: { type: "object", required: ["item"], properties: { item: { enum: ["apple", "pear"] } } },
  output: { type: "object", required: ["count"], properties: { count: { type: "integer" } } },
  handler: () => ({ count: 1 }),
});
const order = defineOperation({
  id: "stock.order",
  description: "Order more of an item",
  input: z.object({ item: z.string(), count: z.number().optional() }),
  handler: () => "ordered",
});

it("execute has the types of the operations passed to createWaybill", () => {
  const waybill = createWaybill({ operations: [view, order] });
  expectTypeOf(waybill.execute("stock.view", { item: "apple" })).resolves.toEqualTypeOf<
    ResultEnvelope<{ count: number }>
  >();
  expectTypeOf(
    waybill.execute("stock.order", { item: "fig", count: 2 }),
  ).resolves.toEqualTypeOf<ResultEnvelope>();
  expectTypeOf(waybill.executeTask).toEqualTypeOf(waybill.execute);
});

it("execute refuses wrong inputs and unknown ids of the operations passed to createWaybill", () => {
  const waybill = createWaybill({ operations: [view, order] });
  // @ts-expect-error There is no such item.
  void waybill.execute("stock.view", { item: "fig" });
  // @ts-expect-error The item is missing.
  void waybill.execute("stock.view", {});
  // @ts-expect-error The params are missing.
  void waybill.execute("stock.order");
  // @ts-expect-error There is no such operation.
  void waybill.execute("stock.veiw", { item: "apple" });
  expectTypeOf(waybill.as({ id: "ada", scopes: [] })).toEqualTypeOf(waybill);
});

it("execute accepts an id that is only known at run time", () => {
  const waybill = createWaybill({ operations: [view] });
  const id: string = "stock.view";
  expectTypeOf(waybill.execute(id, { item: "apple" })).resolves.toEqualTypeOf<ResultEnvelope>();
});

it("execute accepts any id if there are sources, and still checks known ones", () => {
  const waybill = createWaybill({ operations: [view], sources: [localSource("more", [order])] });
  expectTypeOf(waybill.execute("other.thing")).resolves.toEqualTypeOf<ResultEnvelope>();
  expectTypeOf(waybill.execute("stock.view", { item: "pear" })).resolves.toEqualTypeOf<
    ResultEnvelope<{ count: number }>
  >();
  // @ts-expect-error Known operations are still checked.
  void waybill.execute("stock.view", { item: 1 });
});

it("createWaybill with a list of unknown operations returns a Waybill whose calls are not typed", () => {
  const operations: Operation[] = [view, order];
  expectTypeOf(createWaybill({ operations })).toEqualTypeOf<Waybill>();
  expectTypeOf(createWaybill()).toEqualTypeOf<Waybill>();
});

it("a typed Waybill can be passed where any Waybill is expected", () => {
  const waybill = createWaybill({ operations: [view, order] });
  expectTypeOf(waybill).toExtend<Waybill>();
  expectTypeOf(waybill.as({ id: "ada", scopes: [] })).toExtend<Waybill>();
});

it("execute of a typed Waybill accepts result.read beside the typed operations", () => {
  const waybill = createWaybill({ operations: [view] });
  expectTypeOf(
    waybill.execute("result.read", { handle: "h" }),
  ).resolves.toEqualTypeOf<ResultEnvelope>();
});
