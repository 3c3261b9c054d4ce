import { expect } from "vitest";
import type { Tally } from "./tally.ts";

export function expectNothingWrong(tally: Tally): void {
  expect(tally.violations).toEqual([]);
  expect(tally.total.double).toBe(0);
  expect(tally.certainShare).toBe(1);
  expect(tally.settledShare).toBeGreaterThanOrEqual(0.95);
}
