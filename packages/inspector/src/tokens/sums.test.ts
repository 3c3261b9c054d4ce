import type { CapabilityTotals } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { byTokens, isRange, getSaved, getSums, totalsPath } from "./sums.ts";

function totals(capability_id: string, tokens_out: number, tokens_raw: number): CapabilityTotals {
  return { capability_id, calls: 2, errors: 1, tokens_out, tokens_raw, p50_ms: 3 };
}

const capabilities = [totals("b", 10, 100), totals("a", 10, 0), totals("c", 50, 60)];

describe("token sums", () => {
  it("the inspector's Tokens view adds up tokens over all time buckets", () => {
    const bucket = { at: 0, calls: 3, errors: 1, tokens_out: 35, tokens_raw: 80 };
    const sums = getSums({ buckets: [bucket, { ...bucket, at: 1 }] });
    expect(sums).toEqual({ calls: 6, errors: 2, out: 70, raw: 160 });
    expect(getSaved(sums)).toBe(90);
  });

  it("the inspector's Tokens view never shows fewer than 0 saved tokens", () => {
    expect(getSaved({ out: 10, raw: 0 })).toBe(0);
  });

  it("the inspector's Tokens view lists capabilities with the most tokens first", () => {
    expect(byTokens(capabilities).map((one) => one.capability_id)).toEqual(["c", "a", "b"]);
  });
});

describe("time range", () => {
  it("the inspector's Tokens view requests an equal start time for all requests within 10 seconds", () => {
    const paths = [1_000_000_000, 1_000_009_999].map((now) => totalsPath("hour", now, 60));
    expect(new Set(paths)).toEqual(new Set(["/v1/inspect/totals?buckets=60&since=996400000"]));
  });

  it("the inspector's Tokens view requests all totals for the full range", () => {
    expect(totalsPath("all", 5, 60)).toBe("/v1/inspect/totals?buckets=60");
  });

  it.each([
    ["hour", true],
    ["toString", false],
    [null, false],
  ])("the inspector's Tokens view accepts %s as a time range: %s", (name, expected) => {
    expect(isRange(name)).toBe(expected);
  });
});
