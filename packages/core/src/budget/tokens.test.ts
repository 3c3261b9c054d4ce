import { describe, expect, it } from "vitest";
import { estimateTokens } from "./index.ts";

describe("the token estimate", () => {
  it("is nothing for nothing", () => {
    expect(estimateTokens("")).toBe(0);
  });

  it.each([
    ["one short word", "hello", 1],
    ["words with single spaces", "one two three", 3],
    ["digits in threes", "123456789", 3],
    ["a long word in parts", "internationalisation", 4],
    ["a run of spaces", "a    b", 3],
    ["a line break between words", "a\n\nb", 3],
  ])("counts %s", (_what, text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it("counts signs, and letters of other scripts, by the piece", () => {
    expect(estimateTokens("{}[]{}[]{}")).toBe(7);
    expect(estimateTokens("漢字漢字漢字漢字漢字")).toBe(12);
    expect(estimateTokens("éèêë")).toBeGreaterThanOrEqual(4);
  });

  it("grows with the text, and never by leaps", () => {
    const text = '{"items":[{"id":1,"title":"Hello, wörld"}],"more": true}  ';
    let last = 0;
    for (let end = 1; end <= text.length; end++) {
      const tokens = estimateTokens(text.slice(0, end));
      expect(tokens - last).toBeLessThanOrEqual(2);
      expect(tokens).toBeGreaterThanOrEqual(last - 1);
      last = tokens;
    }
  });

  it("is a whole number, and the same every time", () => {
    const text = JSON.stringify({ a: [1, 2.5, "x"], b: null });
    expect(Number.isInteger(estimateTokens(text))).toBe(true);
    expect(estimateTokens(text)).toBe(estimateTokens(text));
  });
});
