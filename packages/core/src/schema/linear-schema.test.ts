import { Check } from "typebox/schema";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker } from "./index.ts";
import type { CompiledSchema } from "./index.ts";

async function compiled(schema: JsonSchema, interpreted = false): Promise<CompiledSchema> {
  return (await loadChecker(schema)).compile(schema, { interpreted });
}

const DOTTED = String.raw`^(?:[a-z]+\.?)+$`;
const WORDS = String.raw`^(\w+\s?)*$`;
const OPAQUE = "(?<!a)b$";

/** A schema whose pattern contains a Unicode property this many times. */
function letters(count: number): JsonSchema {
  return { pattern: `^[${String.raw`\p{L}`.repeat(count)}]$` };
}

/** Schemas whose patterns need the linear engine, with valid and invalid values. */
const schemas: [string, JsonSchema][] = [
  ["a pattern", { properties: { a: { pattern: DOTTED } } }],
  ["a pattern for member names", { propertyNames: { pattern: DOTTED } }],
  [
    "a closed object",
    { patternProperties: { [DOTTED]: { type: "string" } }, additionalProperties: false },
  ],
  [
    "two name patterns that match the same name",
    { patternProperties: { [DOTTED]: { type: "string" }, [WORDS]: { minLength: 2 } } },
  ],
  [
    "unevaluated members",
    { allOf: [{ patternProperties: { [DOTTED]: true } }], unevaluatedProperties: false },
  ],
  [
    "a reference to itself",
    {
      patternProperties: { [DOTTED]: { anyOf: [{ type: "string" }, { $ref: "#" }] } },
      additionalProperties: false,
    },
  ],
  ["a negation", { not: { propertyNames: { pattern: DOTTED } } }],
];
const values: unknown[] = [
  {},
  { a: "x" },
  { a: "x." },
  { "a.b": "xy", "c d": "xy" },
  { "a.b": 1 },
  { "c d": "x" },
  { A: "x" },
  { a: { "b.c": "x" } },
  { a: { B: "x" } },
  { "a|b": "x", "(": "y", "^$": "z" },
  "text",
];

describe.each([
  ["compiled", false],
  ["interpreted", true],
])("%s schemas with patterns of the linear engine", (_, interpreted) => {
  it.each(schemas)(
    "a schema with %s gives the same verdicts with and without the linear-time engine",
    async (__, schema) => {
      const ours = await compiled(schema, interpreted);
      for (const value of values) {
        expect([value, ours.check(value)]).toEqual([value, Check(schema as object, value)]);
      }
    },
  );
});

describe("issues of patterns", () => {
  it("the issue of a pattern quotes the pattern as the schema has it", async () => {
    const [issue] = (await compiled({ properties: { a: { pattern: DOTTED } } })).issues({ a: "A" });
    expect(issue).toEqual({ path: "/a", message: `must match pattern "${DOTTED}"` });
  });

  it("the issue of a name that matches no pattern points to the member", async () => {
    const closed = {
      patternProperties: { [DOTTED]: { type: "string" } },
      additionalProperties: false,
    };
    const issues = (await compiled(closed)).issues({ "a.b": 1, B: "x" });
    expect(issues.map(({ path }) => path)).toEqual(["/B", "/a.b"]);
  });
});

describe("patterns that are not checked", () => {
  it.each<[string, JsonSchema]>([
    ["of a string", { properties: { a: { type: "string", pattern: OPAQUE } } }],
    [
      "of member names",
      { patternProperties: { [OPAQUE]: { type: "number" } }, additionalProperties: false },
    ],
    ["in a negation", { not: { properties: { a: { pattern: OPAQUE } } } }],
    [
      "in a condition",
      JSON.parse(`{"if":{"properties":{"a":{"pattern":"${OPAQUE}"}}},"then":false}`) as JsonSchema,
    ],
    ["in one of several forms", { oneOf: [{ properties: { a: { pattern: OPAQUE } } }, true] }],
    [
      "behind a reference",
      { $defs: { a: { pattern: OPAQUE } }, not: { properties: { a: { $ref: "#/$defs/a" } } } },
    ],
    ["that is not a regular expression", { properties: { a: { pattern: "(?P<x>a" } } }],
  ])("an unsupported pattern %s accepts any string and is reported", async (_, schema) => {
    const own = await compiled(schema);
    expect(own.check({ a: "ab" })).toBe(true);
    expect(own.skipped).toHaveLength(1);
    expect(own.skipped[0]).toMatch(/^the pattern ".*" is not checked, so any string passes: it /);
  });

  it("the report of a long unsupported pattern shows its beginning", async () => {
    const pattern = `${OPAQUE}${"b".repeat(200)}`;
    const [sentence] = (await compiled({ properties: { a: { pattern } } })).skipped;
    expect(sentence).toContain(`the pattern ${JSON.stringify(`${pattern.slice(0, 80)}…`)} is not`);
  });

  it("an unsupported pattern does not turn off the rest of the schema", async () => {
    const own = await compiled({ properties: { a: { type: "string", pattern: OPAQUE } } });
    expect(own.check({ a: 1 })).toBe(false);
  });

  it("a schema's patterns that take more than two seconds to prepare are not checked", async () => {
    const anyOf = Array.from({ length: 60 }, (_, index) => ({
      pattern: `^(?:a{1,900}|b${index})+$`,
    }));
    const { skipped } = await compiled({ anyOf });
    expect(skipped.length).toBeGreaterThan(10);
    expect(skipped.length).toBeLessThan(40);
    expect(skipped[0]).toMatch(
      /is not checked, so any string passes: the schema has too many patterns$/u,
    );
  });

  it("a pattern with more than 50 Unicode properties is not checked, so any string passes", async () => {
    expect((await compiled(letters(50))).skipped).toEqual([]);
    const { skipped } = await compiled(letters(51));
    expect(skipped[0]).toMatch(/is not checked, so any string passes: it is too large$/u);
  });
});

describe("values that are too large for their patterns", () => {
  const large = { a: Array.from({ length: 400 }, () => "ab".repeat(20_000)) };

  it("a value that is too large for the patterns of its schema is refused with the reason", async () => {
    const own = await compiled({ properties: { a: { items: { pattern: "^(a|b|ab)*$" } } } });
    expect(own.check(large)).toBe(false);
    expect(own.issues(large)).toEqual([{ path: "", message: "is too large to be checked" }]);
    expect(own.check({ a: ["abab"] })).toBe(true);
  });

  it("member names that are too long for the name patterns of a schema are refused with the reason", async () => {
    const patterns = Array.from({ length: 50 }, (_, index) => [
      `[ab]{0,60}[ab]{0,60}c${index}`,
      {},
    ]);
    const own = await compiled({ patternProperties: Object.fromEntries(patterns) });
    expect(own.check({ ["a".repeat(10_000)]: 1 })).toBe(false);
    expect(own.issues({ ["a".repeat(10_000)]: 1 })).toEqual([
      { path: "", message: "is too large to be checked" },
    ]);
    expect(own.check({ a: 1 })).toBe(true);
  });
});
