import type { CapabilityTotals } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { byTokens, isRange, getSaved, getSums, totalsPath } from "./sums.ts";

function totals(capability_id: string, tokens_out: number, tokens_raw: number): CapabilityTotals {
  return { capability_id, calls: 2, errors: 1, tokens_out, tokens_raw, p50_ms: 3 };
}

const capabilities = [totals("b", 10, 100), totals("a", 10, 0), totals("c", 50, 60)];

describe("tokens", () => {
  it("tokens are summed over time, which has also what no capability of the list has", () => {
    const bucket = { at: 0, calls: 3, errors: 1, tokens_out: 35, tokens_raw: 80 };
    const sums = getSums({ buckets: [bucket, { ...bucket, at: 1 }] });
    expect(sums).toEqual({ calls: 6, errors: 2, out: 70, raw: 160 });
    expect(getSaved(sums)).toBe(90);
  });

  it("tokens are never saved below nothing", () => {
    expect(getSaved({ out: 10, raw: 0 })).toBe(0);
  });

  it("tokens are listed with the dearest first", () => {
    expect(byTokens(capabilities).map((one) => one.capability_id)).toEqual(["c", "a", "b"]);
  });
});

describe("a range", () => {
  it("asks the same for a while", () => {
    const paths = [1_000_000_000, 1_000_009_999].map((now) => totalsPath("hour", now, 60));
    expect(new Set(paths)).toEqual(new Set(["/v1/inspect/totals?buckets=60&since=996400000"]));
  });

  it("starts at the beginning for the full range", () => {
    expect(totalsPath("all", 5, 60)).toBe("/v1/inspect/totals?buckets=60");
  });

  it.each([
    ["hour", true],
    ["toString", false],
    [null, false],
  ])("%s is one: %s", (name, expected) => {
    expect(isRange(name)).toBe(expected);
  });
});
