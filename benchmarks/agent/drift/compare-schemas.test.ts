import { describe, expect, it } from "vitest";
import { compareSchemas } from "./compare-schemas.ts";

const TEXT = { type: "string" };
const object = (properties: object, required: string[] = []) => ({
  type: "object",
  required,
  properties,
});

/** Changes, each with whether it breaks callers that send the value and callers that read it. */
const CHANGES: [
  what: string,
  before: unknown,
  after: unknown,
  input: string[],
  output: string[],
][] = [
  ["no change", object({ a: TEXT }), object({ a: { ...TEXT } }), [], []],
  [
    "a new title and description only",
    { ...TEXT, description: "a" },
    { ...TEXT, description: "b", title: "c" },
    [],
    [],
  ],
  ["an added optional member", object({}), object({ a: TEXT }), ["a added"], ["a added"]],
  [
    "an added required member",
    object({}),
    object({ a: TEXT }, ["a"]),
    ["a added, required !"],
    ["a added, required"],
  ],
  ["a removed member", object({ a: TEXT }), object({}), ["a removed !"], ["a removed !"]],
  [
    "an optional member becomes required",
    object({ a: TEXT }),
    object({ a: TEXT }, ["a"]),
    ["a now required !"],
    ["a now required"],
  ],
  [
    "a required member becomes optional",
    object({ a: TEXT }, ["a"]),
    object({ a: TEXT }),
    ["a now optional"],
    ["a now optional !"],
  ],
  [
    "another type of a nested member",
    object({ a: { type: "array", items: object({ b: TEXT }) } }),
    object({ a: { type: "array", items: object({ b: { type: "integer" } }) } }),
    ['a[].b type "string" → "integer" !'],
    ['a[].b type "string" → "integer" !'],
  ],
  [
    "a wider type",
    TEXT,
    { type: ["string", "null"] },
    [' type "string" → ["string","null"]'],
    [' type "string" → ["string","null"] !'],
  ],
  [
    "integers become numbers",
    { type: "integer" },
    { type: "number" },
    [' type "integer" → "number"'],
    [' type "integer" → "number" !'],
  ],
  ["an added enum value", { enum: [1] }, { enum: [1, 2] }, [" values +2"], [" values +2 !"]],
  ["a removed enum value", { enum: [1, 2] }, { const: 1 }, [" values −2 !"], [" values −2"]],
  [
    "a higher minimum length",
    { type: "string", minLength: 1 },
    { type: "string", minLength: 2 },
    [" minLength 1 → 2 !"],
    [" minLength 1 → 2"],
  ],
  ["a removed maximum", { maximum: 9 }, {}, [" maximum 9 → none"], [" maximum 9 → none !"]],
  [
    "another pattern",
    { pattern: "a" },
    { pattern: "b" },
    [' pattern "a" → "b" !'],
    [' pattern "a" → "b" !'],
  ],
  [
    "additionalProperties becomes false",
    object({}),
    { ...object({}), additionalProperties: false },
    [" other members true → false !"],
    [" other members true → false"],
  ],
  [
    "an added anyOf branch and a changed one",
    { anyOf: [TEXT, object({ a: TEXT })] },
    { anyOf: [TEXT, object({}), { type: "null" }] },
    ["a removed !", ' also {"type":"null"}'],
    ["a removed !", ' also {"type":"null"} !'],
  ],
  ["a removed oneOf", { oneOf: [TEXT] }, {}, [" oneOf removed"], [" oneOf removed !"]],
  [
    "another type of additionalProperties",
    { additionalProperties: TEXT },
    { additionalProperties: { type: "number" } },
    ['* type "string" → "number" !'],
    ['* type "string" → "number" !'],
  ],
  ["a schema that accepts no value", true, false, [" not none → {} !"], [" not none → {}"]],
];

function named(side: "input" | "output", before: unknown, after: unknown): string[] {
  return compareSchemas(side, before, after).map(
    ({ path, what, isBreaking }) => `${path} ${what}${isBreaking ? " !" : ""}`,
  );
}

describe("schema changes", () => {
  it.each(CHANGES)(
    "the comparison of two schema versions lists the changes for inputs and outputs after: %s",
    (_what, before, after, input, output) => {
      expect(named("input", before, after)).toEqual(input);
      expect(named("output", before, after)).toEqual(output);
    },
  );
});
