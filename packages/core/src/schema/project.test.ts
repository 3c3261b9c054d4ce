import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker, projectSchema } from "./index.ts";

const checker = await loadChecker();
const tree: JsonSchema = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      description: "A node",
      required: ["name"],
      properties: {
        name: { type: "string", minLength: 1 },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
    },
  },
};

describe("schemas cut to a budget", () => {
  it("projectSchema inlines references and omits the definitions", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { id: { type: "integer" } },
      properties: { a: { $ref: "#/$defs/id", description: "The id" } },
    };
    expect(projectSchema(schema, 1_000)).toEqual({
      schema: { properties: { a: { type: "integer", description: "The id" } } },
      truncated: false,
    });
  });

  it.each([
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
  ])("projectSchema inlines a reference under the keyword %s", (keyword) => {
    const schema = { $defs: { s: { type: "string" } }, [keyword]: { $ref: "#/$defs/s" } };
    expect(projectSchema(schema, 1_000).schema).toEqual({ [keyword]: { type: "string" } });
  });

  it.each(["allOf", "anyOf", "oneOf", "prefixItems"])(
    "projectSchema inlines references in the list %s",
    (keyword) => {
      const schema = { $defs: { s: { type: "string" } }, [keyword]: [{ $ref: "#/$defs/s" }, true] };
      expect(projectSchema(schema, 1_000).schema).toEqual({
        [keyword]: [{ type: "string" }, true],
      });
    },
  );

  it("projectSchema keeps data that looks like a schema, and properties that are named like keywords", () => {
    const schema = {
      properties: { $ref: { type: "string" }, $defs: {} },
      default: { $ref: "x" },
      const: { $id: "y" },
    };
    expect(projectSchema(schema, 1_000)).toEqual({ schema, truncated: false });
  });

  it("projectSchema keeps type and description of a part that is cut", () => {
    const { schema, truncated } = projectSchema(tree, 150);
    expect(truncated).toBe(true);
    expect(schema).toEqual({
      type: "object",
      description: "A node",
      required: ["name"],
      properties: { name: { type: "string" }, children: { type: "array" } },
    });
  });

  it("projectSchema unfolds a recursive schema as far as the budget allows", () => {
    const sizes = [200, 800, 3_000, 20_000].map((budget) => {
      const projected = projectSchema(tree, budget);
      expect(projected.truncated).toBe(true);
      return JSON.stringify(projected.schema).length;
    });
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)).toBeGreaterThan(sizes[0]! * 2);
  });

  it.each<[string, JsonSchema, number]>([
    ["nothing fits the budget", { enum: ["x".repeat(100)] }, 50],
    ["the reference has no target", { $ref: "#/$defs/gone" }, 50],
  ])(
    "projectSchema returns the schema true, which accepts any value, if %s",
    (_, schema, budget) => {
      expect(projectSchema(schema, budget).schema).toBe(true);
    },
  );

  it("projectSchema returns true and false unchanged", () => {
    expect(projectSchema(false, 50)).toEqual({ schema: false, truncated: false });
    expect(projectSchema({ properties: { a: false } }, 50).schema).toEqual({
      properties: { a: false },
    });
  });

  it("projectSchema keeps invalid parts unchanged", () => {
    const schema = { properties: { a: 5 }, anyOf: ["x"], items: 7 };
    expect(projectSchema(schema, 1_000).schema).toEqual(schema);
  });
});

const name = fc.constantFrom("a", "b", "__proto__", "toString");
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.boolean(),
    fc.record({ type: fc.constantFrom("string", "integer"), description: fc.string() }),
    fc.record({ enum: fc.array(fc.string(), { minLength: 1 }) }),
    fc.record({ $ref: fc.constantFrom("#", "#/$defs/a", "#/$defs/b") }),
    fc.record({ properties: fc.dictionary(name, tie("schema")), required: fc.array(name) }),
    fc.record({ items: tie("schema"), not: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1 }) }),
  ),
}));
const document = fc
  .tuple(anySchema, anySchema, anySchema)
  .map(([root, a, b]): JsonSchema => ({ $defs: { a, b }, properties: { root } }));

describe("any schema cut to a budget", () => {
  it("projectSchema returns for any schema a valid schema within its budget and without references", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 4, max: 2_000 }), (schema, budget) => {
        const projected = projectSchema(schema, budget);
        expect(JSON.stringify(projected.schema).length).toBeLessThanOrEqual(budget);
        expect(JSON.stringify(projected.schema)).not.toContain('"$ref"');
        expect(() => checker.compile(projected.schema).check({})).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it("projectSchema does not modify its input", () => {
    fc.assert(
      fc.property(document, (schema) => {
        const before = JSON.stringify(schema);
        projectSchema(schema, 500);
        expect(JSON.stringify(schema)).toBe(before);
      }),
    );
  });
});
