import { expectTypeOf, it } from "vitest";
import type { ResponseEnvelope } from "../envelope/index.ts";
import type { Waybill } from "./index.ts";

declare const waybill: Waybill;

it("subscribe yields an envelope for every value", () => {
  expectTypeOf(waybill.subscribe("clock.tick")).toEqualTypeOf<
    AsyncGenerator<ResponseEnvelope, void, undefined>
  >();
});

it("subscribe refuses an unknown option", () => {
  // @ts-expect-error The option is idleTimeout.
  expectTypeOf(waybill.subscribe("clock.tick", {}, { idle: 1 })).toBeObject();
});
