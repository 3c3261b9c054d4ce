import { assert, integer, jsonValue, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, fitTokens } from "./index.ts";
import { loadTokenList } from "./token-tree.ts";

await loadTokenList();

function readCost(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

describe("fitTokens", () => {
  it("fitTokens returns data that fits the budget unchanged", () => {
    const data = { a: [1, 2, { b: "text" }] };
    const fitted = fitTokens(data, 1_000);
    expect(fitted).toEqual({ data, truncated: false, cuts: [] });
    expect(fitted.data).toBe(data);
    expect(fitTokens(undefined, 10).truncated).toBe(false);
  });

  it("fitTokens cuts a long string at its end", () => {
    const { data, truncated } = fitTokens("one two three ".repeat(100), 50);
    expect(truncated).toBe(true);
    expect("one two three ".repeat(100).startsWith(data as string)).toBe(true);
    expect(readCost(data)).toBeLessThanOrEqual(50);
    expect(readCost(data)).toBeGreaterThan(40);
  });

  it("fitTokens never cuts a string in the middle of a character", () => {
    for (let budget = 5; budget < 60; budget++) {
      const { data } = fitTokens("👋".repeat(200), budget);
      expect(data).toBe("👋".repeat((data as string).length / 2));
    }
  });

  it("fitTokens keeps whole items from the beginning of a long list", () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id, name: `item ${id}` }));
    const { data } = fitTokens(items, 200);
    const kept = data as unknown[];
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(readCost(data)).toBeLessThanOrEqual(200);
  });

  it("fitTokens cuts inside the first item of a list if that item alone is too large", () => {
    const { data } = fitTokens([{ id: 1, body: "long ".repeat(1_000) }, { id: 2 }], 100);
    expect(data).toMatchObject([{ id: 1, body: expect.stringMatching(/^long /) as unknown }]);
    expect(fitTokens(["long ".repeat(1_000)], 5).data).toEqual([]);
  });

  it("fitTokens keeps small members of an object whole and shares the rest among large members", () => {
    const data = { id: 1, a: "long ".repeat(1_000), title: "Hello", b: "wide ".repeat(1_000) };
    const fitted = fitTokens(data, 300).data as typeof data;
    expect(Object.keys(fitted)).toEqual(["id", "a", "title", "b"]);
    expect(fitted).toMatchObject({ id: 1, title: "Hello" });
    expect(Math.abs(fitted.a.length - fitted.b.length)).toBeLessThan(200);
    expect(readCost(fitted)).toBeLessThanOrEqual(300);
  });

  it("fitTokens drops members of an object if even their names do not fit", () => {
    const data = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`member${i}`, "x y z"]));
    const kept = Object.keys(fitTokens(data, 30).data as object);
    expect(kept.length).toBeLessThan(50);
    expect(fitTokens(data, -5).data).toEqual({});
    expect(fitTokens("text", -5).data).toBe("");
    expect(fitTokens(123_456_789, 0).data).toBe(123_456_789);
  });

  it("fitTokens never returns more tokens than the budget, for any JSON", () => {
    const anything = property(
      jsonValue({ maxDepth: 5 }),
      integer({ min: 20, max: 400 }),
      (value, budget) => {
        const { data, truncated } = fitTokens(value, budget);
        expect(truncated ? readCost(data) <= budget : data === value).toBe(true);
      },
    );
    expect(() => assert(anything, { numRuns: 500 })).not.toThrow();
  });
});
