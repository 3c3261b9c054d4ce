import { expectTypeOf, it } from "vitest";
import { createWaybill } from "../index.ts";
import type { Policy } from "../../policy/index.ts";
import type { WaybillOptions } from "../index.ts";

it("createWaybill refuses an unknown rule of a policy", () => {
  expectTypeOf(createWaybill({ policy: { read_only: true, deny: ["repo.*"] } })).toBeObject();
  // @ts-expect-error The rule is read_only.
  expectTypeOf(createWaybill({ policy: { readOnly: true } })).toBeObject();
  // @ts-expect-error There are three answers to what needs an approval.
  expectTypeOf(createWaybill({ policy: { confirm: "always" } })).toBeObject();
  expectTypeOf<WaybillOptions["policy"]>().toEqualTypeOf<Policy | undefined>();
});

it("createWaybill refuses an unknown option", () => {
  // @ts-expect-error The option is operations.
  expectTypeOf(createWaybill({ operation: [] })).toBeObject();
});
