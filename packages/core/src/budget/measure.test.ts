import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { successResult } from "../envelope/index.ts";
import { applyBudget, estimateTokens, measureWithin, roughTokens } from "./index.ts";
import { loadTokenList } from "./token-tree.ts";

await loadTokenList();

function fixture(name: string): string {
  const url = new URL(`../../../../test/fixtures/tokens/${name}.txt`, import.meta.url);
  return readFileSync(url, "utf8");
}

/** A long list that records how many of its items are read. */
function counting(length: number) {
  const seen = new Set<number>();
  const items = Array.from({ length }, (_, id) => ({
    get title() {
      seen.add(id);
      return `Issue number ${id}`;
    },
  }));
  return { seen, items };
}

describe("applyBudget on a huge list", () => {
  it("applyBudget reads fewer than 1,000 of 100,000 items to learn that they do not fit", async () => {
    const { seen, items } = counting(100_000);
    const result = await applyBudget(successResult({ items }, { capability_id: "a.b" }), 500);
    expect(result.meta.truncated).toBe(true);
    expect(seen.size).toBeLessThan(1_000);
  });
});

describe("exact token count within a limit", () => {
  it("measureWithin returns the exact token count of data that fits the limit, and Infinity for other data", () => {
    const data = { items: Array.from({ length: 40 }, (_, id) => ({ id })) };
    const tokens = estimateTokens(JSON.stringify(data));
    expect(measureWithin(data, tokens)).toBe(tokens);
    expect(measureWithin(data, tokens - 1)).toBe(Infinity);
    expect(measureWithin(" ".repeat(5_000_000), 500)).toBe(Infinity);
  });
});

describe("token estimate of a long text", () => {
  it("roughTokens equals estimateTokens for a short text", () => {
    const text = fixture("prose-english");
    expect(roughTokens(text)).toBe(estimateTokens(text));
  });

  it.each(["prose-english", "json-rows", "log-ci", "cjk-chinese"])(
    "roughTokens is within 10% of estimateTokens for a long text: %s",
    (name) => {
      const once = fixture(name);
      const text = once.repeat(Math.ceil(300_000 / once.length));
      const share = roughTokens(text) / estimateTokens(text);
      expect(share).toBeGreaterThan(0.9);
      expect(share).toBeLessThan(1.1);
    },
  );
});
