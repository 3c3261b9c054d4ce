import { expect, it } from "vitest";
import { shippingCost } from "./sample.ts";

it("the sample for the mutation tool returns a shipping cost of 0 for a large order and 5 for a small one", () => {
  expect([shippingCost(80), shippingCost(10)]).toEqual([0, 5]);
});
