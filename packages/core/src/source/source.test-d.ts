import { expectTypeOf, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import { createWaybill } from "../execute/index.ts";
import { localSource } from "./index.ts";
import type { Source } from "./index.ts";

const view = defineOperation({ id: "stock.view", description: "Show stock", handler: () => 1 });

it("localSource accepts operations and refuses a plain function", () => {
  expectTypeOf(localSource("shop", [view])).toEqualTypeOf<Source>();
  // @ts-expect-error A function must be described first.
  expectTypeOf(localSource("shop", [() => 1])).toBeObject();
});

it("createWaybill takes its sources as a list", () => {
  expectTypeOf(createWaybill({ sources: [localSource("shop", [view])] })).toBeObject();
  // @ts-expect-error Sources come as a list.
  expectTypeOf(createWaybill({ sources: localSource("shop", [view]) })).toBeObject();
});
