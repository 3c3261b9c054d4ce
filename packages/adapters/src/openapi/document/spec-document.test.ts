import { dictionary, jsonValue, property, assert as check, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonDocument, plainDocument } from "./spec-document.ts";

/** The path of every value inside a value, including the empty path. */
function paths(value: unknown, keys: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...keys]];
  const inner = Object.entries(value).flatMap(([key, each]) => paths(each, [...keys, key]));
  return [[...keys], ...inner];
}

describe("jsonDocument", () => {
  it("jsonDocument returns the same values and names as the parsed JSON", () => {
    const documents = dictionary(string({ unit: "grapheme" }), jsonValue({ maxDepth: 5 }));
    check(
      property(documents, (value) => {
        for (const spaces of [0, 2]) {
          const text = JSON.stringify({ paths: value, ...value }, null, spaces);
          const parsed = JSON.parse(text) as unknown;
          const [lazy, plain] = [jsonDocument(Buffer.from(text)), plainDocument(parsed)];
          for (const keys of [...paths(parsed), ["none"], ["paths", "none", "0"]]) {
            expect(lazy.at(keys)).toEqual(plain.at(keys));
            expect(lazy.names(keys)).toEqual(plain.names(keys));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("jsonDocument finds the end of strings with quotes and backslashes", () => {
    const texts = [
      '"',
      "\\",
      '\\"',
      '\\\\"',
      "x".repeat(47),
      `${"x".repeat(46)}\\"`,
      '"'.repeat(60),
    ];
    for (const text of texts) {
      const document = jsonDocument(Buffer.from(JSON.stringify({ [text]: text, after: 1 })));
      expect(document.at([text])).toBe(text);
      expect(document.at(["after"])).toBe(1);
    }
  });

  it("jsonDocument reports a malformed part of a document only when that part is read", () => {
    const document = jsonDocument(
      Buffer.from('{"paths":{"/a":{"get":{"x":[1,}},"/b":{"get":{}}}}}'),
    );
    expect(document.names(["paths"])).toEqual(["/a"]);
    expect(() => document.at(["paths", "/a", "get", "x"])).toThrow("it is not JSON at byte");
  });
});
