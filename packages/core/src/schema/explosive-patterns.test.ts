import { describe, expect, it } from "vitest";
import { isExplosive, withoutExplosivePatterns } from "./index.ts";

describe("patterns of others", () => {
  it.each(["^(a+)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]", "(?:x+y?){2,}", "((a+))*"])(
    "%s can take for ever",
    (pattern) => {
      expect(isExplosive(pattern)).toBe(true);
    },
  );

  it.each(["^a+$", "^[(+)*]+$", String.raw`\(a+\)+`, "(ab)+", "(a+){2}", "^(?:a|b)*$", "x{2,}"])(
    "%s cannot",
    (pattern) => {
      expect(isExplosive(pattern)).toBe(false);
    },
  );

  it("are taken out of a schema, and nothing else is", () => {
    const schema = {
      properties: { pattern: { type: "string", pattern: "^(a+)+$" }, b: { pattern: "^b$" } },
      anyOf: [{ items: { pattern: "(x*)*" } }],
    };
    expect(withoutExplosivePatterns(schema)).toEqual({
      properties: { pattern: { type: "string" }, b: { pattern: "^b$" } },
      anyOf: [{ items: {} }],
    });
    const plain = { type: "object" };
    expect(withoutExplosivePatterns(plain)).toBe(plain);
  });
});
