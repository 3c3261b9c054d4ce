import { Settings } from "typebox/system";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker } from "./index.ts";
import type { CompiledSchema } from "./index.ts";

const checker = await loadChecker();
const tree: JsonSchema = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
      additionalProperties: false,
    },
  },
};
const inherited = JSON.parse(
  `{"type":"object","required":["toString","__proto__"],
    "properties":{"toString":{"type":"number"},"__proto__":{"type":"number"},
    "constructor":{"type":"string"}},"additionalProperties":false}`,
) as JsonSchema;

function verdicts(compiled: CompiledSchema, values: readonly unknown[]): boolean[] {
  return values.map((value) => compiled.check(value));
}

/** A schema, values that are valid for it, and values that are not. */
const table: [name: string, schema: JsonSchema, passing: unknown[], failing: unknown[]][] = [
  ["the schema true", true, [1, null, {}], []],
  ["the schema false", false, [], [1, null, {}]],
  ["a list of types", { type: ["integer", "null"] }, [3, null], [3.5, "3", undefined]],
  ["an enum with an object", { enum: [{ a: 1 }, "x"] }, [{ a: 1 }, "x"], [{ a: 2 }, "y"]],
  [
    "a range of numbers",
    { minimum: 1, exclusiveMaximum: 3, multipleOf: 0.5 },
    [1, 2.5],
    [0, 3, 1.2],
  ],
  ["string lengths in code points", { maxLength: 1 }, ["😀"], ["ab"]],
  ["a pattern with a Unicode property", { pattern: "^\\p{Lu}" }, ["Éa", 5], ["éa"]],
  ["the format date-time", { format: "date-time" }, ["2026-01-01T00:00:00Z"], ["yesterday"]],
  ["a tuple", { prefixItems: [{ type: "string" }], items: false }, [["a"], []], [["a", 1], [1]]],
  ["unique items", { uniqueItems: true }, [[{ a: 1 }, { a: 2 }]], [[{ a: 1 }, { a: 1 }]]],
  ["contains with minContains", { contains: { const: 1 }, minContains: 2 }, [[1, 2, 1]], [[1], []]],
  ["propertyNames", { propertyNames: { pattern: "^a" } }, [{ ab: 1 }], [{ b: 1 }]],
  [
    "patternProperties",
    { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
    [{ "x-a": "1" }],
    [{ "x-a": 1 }, { y: "1" }],
  ],
  [
    "dependentRequired",
    { dependentRequired: { a: ["b"] } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { required: ["b"] } } },
    [{}, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    "if, then, else",
    JSON.parse(
      '{"if":{"const":1},"then":{"type":"number"},"else":{"type":"string"}}',
    ) as JsonSchema,
    [1, "x"],
    [2],
  ],
  ["not", { not: { type: "string" } }, [1], ["x"]],
  ["oneOf", { oneOf: [{ type: "number" }, { minimum: 5 }] }, [3, "x"], [7]],
  [
    "unevaluatedProperties beside parts and references",
    {
      $defs: { base: { properties: { id: {} } } },
      allOf: [{ $ref: "#/$defs/base" }, { anyOf: [{ properties: { a: {} } }, true] }],
      unevaluatedProperties: false,
    },
    [{ id: 1, a: 2 }],
    [{ id: 1, b: 2 }],
  ],
  ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ["keywords beside a reference", { ...tree, required: ["x"] }, [], [{ name: "a" }]],
  [
    "a recursive schema",
    tree,
    [{ name: "a", children: [{ name: "b", children: [] }] }],
    [{ name: "a", children: [{ nom: "b" }] }, {}],
  ],
  [
    "a schema that refers to its root",
    { items: { $ref: "#" }, type: "array" },
    [[[], [[]]]],
    [[[1]]],
  ],
  [
    "a reference with escaped characters",
    { $defs: { "a/b~c%d": { type: "string" } }, $ref: "#/$defs/a~1b~0c%25d" },
    ["x"],
    [1],
  ],
  [
    "a reference to an anchor in the definitions",
    { $defs: { a: { $anchor: "id", type: "string" } }, $ref: "#id" },
    ["x"],
    [1],
  ],
  [
    "a reference to an anchor in a property",
    { properties: { a: { $anchor: "id", type: "string" }, b: { $ref: "#id" } } },
    [{ b: "x" }],
    [{ b: 1 }],
  ],
  [
    "a schema that refers to itself by its anchor",
    { $id: "T0", type: "object", properties: { next: { $ref: "T0" } } },
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  [
    "a schema that refers to its own $id",
    {
      $id: "https://a.test/s",
      $defs: { s: { type: "string" } },
      $ref: "https://a.test/s#/$defs/s",
    },
    ["x"],
    [1],
  ],
  [
    "properties with inherited names",
    inherited,
    [
      JSON.parse('{"toString":1,"__proto__":2}'),
      JSON.parse('{"toString":1,"__proto__":2,"constructor":"x"}'),
    ],
    [
      {},
      { toString: 1 },
      JSON.parse('{"toString":1,"__proto__":"x"}'),
      JSON.parse('{"toString":1,"__proto__":1,"constructor":1}'),
    ],
  ],
];

describe.each([
  ["compiled", false],
  ["interpreted", true],
])("%s schemas", (_, interpreted) => {
  it.each(table)(
    "a schema accepts matching values and refuses all others: %s",
    (__, schema, passing, failing) => {
      const compiled = checker.compile(schema, { interpreted });
      expect(passing.filter((value) => !compiled.check(value))).toEqual([]);
      expect(failing.filter((value) => compiled.check(value))).toEqual([]);
    },
  );

  it("the verdict of a schema on a value does not depend on the values checked before", () => {
    const schema = {
      anyOf: [{ properties: { a: {} } }, { properties: { b: {} }, required: ["b"] }],
    };
    const closed = { ...schema, unevaluatedProperties: false };
    const values = [{ b: 1 }, { c: 1 }, { a: 1, b: 1 }, { c: 1 }, { b: 1, c: 1 }];
    expect(verdicts(checker.compile(closed, { interpreted }), values)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it("the issues of a refused value have one issue for each wrong member", () => {
    const compiled = checker.compile(inherited, { interpreted });
    expect(compiled.issues({ extra: 1 }).map(({ path }) => path)).toEqual([
      "/toString",
      "/__proto__",
      "/extra",
    ]);
  });

  it.each([
    ["a reference to nothing", { $ref: "#/$defs/gone" }, "#/$defs/gone"],
    ["a reference to the network", { items: { $ref: "https://a.test/b" } }, "https://a.test/b"],
    ["a reference to an unknown name", { properties: { a: { $ref: "#gone" } } }, "#gone"],
    [
      "references in a cycle",
      { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
      "$defs/a",
    ],
  ])(
    "a schema with %s is refused with a TypeError that names the reference",
    (__, schema, named) => {
      const compile = (): unknown => checker.compile(schema, { interpreted });
      expect(compile).toThrow(TypeError);
      expect(compile).toThrow(named);
    },
  );
});

describe("environments without code generation", () => {
  afterEach(() => Settings.Set({ useAcceleration: true }));

  it("schemas are interpreted if code cannot be generated, and keep no state between checks", () => {
    Settings.Set({ useAcceleration: false });
    const schema = { anyOf: [{ properties: { a: {} } }, true], unevaluatedProperties: false };
    const values = [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }];
    expect(verdicts(checker.compile(schema), values)).toEqual([true, false, false]);
    const numbers = checker.compile({ unevaluatedProperties: { type: "number" } });
    expect(verdicts(numbers, [{ x: 1 }, { x: "text" }])).toEqual([true, false]);
  });
});

describe("schema checker", () => {
  it("loadChecker loads the schema checker once", () => {
    expect(loadChecker()).toBe(loadChecker());
  });

  it("a compiled schema has its schema and traits as properties", () => {
    const compiled = checker.compile(tree);
    expect(compiled.schema).toBe(tree);
    expect(compiled.traits.hasDefaults).toBe(false);
  });

  it("a schema that declares names such as toString can check frozen values", () => {
    const value = Object.freeze({ list: Object.freeze([Object.freeze({})]) });
    const schema = { properties: { list: { items: { required: ["valueOf"] } } } };
    expect(checker.compile(schema).check(value)).toBe(false);
  });

  it("a schema that declares names such as toString does not loop on a value that contains itself", () => {
    const loop: Record<string, unknown> = { toString: 1 };
    loop["left"] = loop;
    loop["right"] = loop;
    const schema = { type: "object", required: ["toString"] };
    expect(checker.compile(schema).check(loop)).toBe(true);
  });
});

describe("large schemas", () => {
  it.each([10, 150, 2_500])(
    "a schema with %i parts gives the same verdicts every time",
    (count) => {
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
      const compiled = checker.compile({ type: "object", properties });
      expect(compiled.traits.size).toBeGreaterThan(count);
      for (let round = 0; round < 20; round++) {
        expect(compiled.check({ p0: 1 })).toBe(true);
        expect(compiled.check({ p0: "1" })).toBe(false);
      }
    },
  );
});
