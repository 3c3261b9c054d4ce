import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { describeFields, describeInputs } from "./index.ts";

function describedType(property: JsonSchema, others: Record<string, unknown> = {}): string {
  return describeInputs({ ...others, properties: { it: property } }).optional[0]!.slice(3);
}

describe("type text of an input", () => {
  it.each<[string, JsonSchema, string]>([
    ["a string", { type: "string" }, "string"],
    ["a value of several types", { type: ["string", "null"] }, "string|null"],
    ["a constant", { const: "open" }, "open"],
    ["a constant that is not text", { const: null }, "null"],
    ["allowed values", { enum: ["open", 1, null] }, "open|1|null"],
    ["a range", { type: "integer", minimum: 1, maximum: 100 }, "1..100"],
    ["a range with one bound", { type: "integer", minimum: 1 }, "integer"],
    [
      "a range with a meaningless maximum",
      { type: "integer", minimum: 0, maximum: 2 ** 53 },
      "integer",
    ],
    ["a list", { type: "array", items: { type: "string" } }, "string[]"],
    [
      "a list of objects with choices",
      {
        type: "array",
        items: { type: "object", properties: { a: { enum: ["x", "y"] } }, required: ["a"] },
      },
      "{a:x|y}[]",
    ],
    [
      "a list of objects or null",
      { type: "array", items: { type: ["object", "null"], properties: { a: {} } } },
      "({a?}|null)[]",
    ],
    ["a list of enum values", { type: "array", items: { enum: ["a", "b"] } }, "(a|b)[]"],
    ["a list of anything", { type: "array" }, "any[]"],
    ["an object", { type: "object" }, "object"],
    ["a map", { type: "object", additionalProperties: { type: "integer" } }, "{[name]: integer}"],
    [
      "an object with members",
      { properties: { a: {}, b: { type: "integer" } }, required: ["a"] },
      "{a, b?:integer}",
    ],
    [
      "a union",
      { anyOf: [{ type: "string" }, { type: "integer" }, { type: "string" }] },
      "string|integer",
    ],
    ["a value of any kind (an empty schema)", {}, "any"],
    ["a value of any kind (the schema true)", true, "any"],
    ["a reference without a target", { $ref: "#/$defs/gone" }, "any"],
    [
      "an object with two parts in allOf",
      {
        allOf: [
          { type: "object", properties: { a: {} }, required: ["a"] },
          { properties: { b: {} } },
        ],
      },
      "{b?, a}",
    ],
  ])("describeInputs writes the type of %s as $2", (_, schema, expected) => {
    expect(describedType(schema)).toBe(expected);
  });

  it("describeInputs follows references when it writes the type of an input", () => {
    const $defs = { state: { enum: ["open", "closed"] } };
    expect(describedType({ $ref: "#/$defs/state" }, { $defs })).toBe("open|closed");
  });

  it("describeInputs writes a limited number of values and forms of an input's type", () => {
    const values = Array.from({ length: 40 }, (_, index) => index);
    const schema = { properties: { it: { enum: values } } };
    expect(describeInputs(schema, { maxValues: 2 }).optional).toEqual(["it:0|1|…"]);
    expect(describedType({ enum: values })).toBe("0|1|2|3|4|5|6|7|8|9|10|11|…");
    const forms = values.map((value) => ({ const: value }));
    expect(describedType({ anyOf: forms })).toBe("0|1|2|3|4|5|…");
  });

  it("describeInputs writes an input's type down to a limited depth", () => {
    const deep = { properties: { a: { properties: { b: { properties: { c: {} } } } } } };
    expect(describedType(deep)).toBe("{a?:{b?:{…}}}");
    expect(describeInputs({ properties: { it: deep } }, { depth: 0 }).optional).toEqual(["it:{…}"]);
    expect(describeInputs({ properties: { it: deep } }, { depth: 1 }).optional).toEqual([
      "it:{a?:{…}}",
    ]);
  });
});

describe("type text of recursive schemas", () => {
  it.each<[string, JsonSchema, string[]]>([
    ["through members", { properties: { child: { $ref: "#" } } }, ["child?:{child?:{…}}"]],
    ["through a list", { type: "array", items: { $ref: "#" } }, ["…[]"]],
    ["through a union", { anyOf: [{ type: "string" }, { $ref: "#" }] }, ["string|…"]],
    [
      "through a list in a union",
      {
        $ref: "#/$defs/json",
        $defs: {
          json: {
            anyOf: [
              { type: ["string", "number"] },
              { type: "array", items: { $ref: "#/$defs/json" } },
            ],
          },
        },
      },
      ["string|number|…[]"],
    ],
    ["through an allOf", { allOf: [{ $ref: "#" }, { properties: { a: {} } }] }, ["a?"]],
  ])("describeInputs ends for a schema that refers to itself %s", (_, schema, expected) => {
    expect(describeFields(schema)).toEqual(expected);
  });

  it("describeInputs ends for 12 unions that all refer to each other", () => {
    const names = Array.from({ length: 12 }, (_, index) => `u${index}`);
    const union = (own: string): JsonSchema => ({
      anyOf: names.filter((name) => name !== own).map((name) => ({ $ref: `#/$defs/${name}` })),
    });
    const $defs = Object.fromEntries(names.map((name) => [name, union(name)]));
    expect(describeFields({ $defs, $ref: "#/$defs/u0" }).join("").length).toBeLessThan(100_000);
  });
});

describe("inputs of a schema", () => {
  it("describeInputs separates required from optional inputs and shows defaults", () => {
    const schema: JsonSchema = {
      required: ["owner"],
      properties: {
        owner: { type: "string" },
        first: { type: "integer", default: 30 },
        state: { enum: ["open"], default: "open" },
      },
    };
    expect(describeInputs(schema)).toEqual({
      required: ["owner:string"],
      optional: ["first:integer=30", "state:open=open"],
    });
  });

  it("describeInputs follows allOf and references", () => {
    const part = { properties: { id: { type: "integer" } }, required: ["id"] };
    const expected = { required: ["id:integer"], optional: [] };
    expect(describeInputs({ allOf: [part] })).toEqual(expected);
    expect(describeInputs({ $defs: { part }, $ref: "#/$defs/part" })).toEqual(expected);
    expect(describeInputs(true)).toEqual({ required: [], optional: [] });
  });
});

describe("fields of a schema", () => {
  it("describeFields lists the members of an object, and omits the type string", () => {
    const schema = {
      properties: { id: { type: "string" }, n: { type: "number" } },
      required: ["id"],
    };
    expect(describeFields(schema)).toEqual(["id", "n?:number"]);
  });

  it("describeFields shows the shape of list items", () => {
    const items = { type: "object", properties: { id: {} }, required: ["id"] };
    expect(describeFields({ type: "array", items })).toEqual(["{id}[]"]);
  });

  it("describeFields returns nothing for a schema that allows anything", () => {
    expect(describeFields({})).toEqual([]);
    expect(describeFields(true)).toEqual([]);
  });
});
