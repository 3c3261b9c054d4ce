import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { normalise } from "./index.ts";

const closed: JsonSchema = {
  type: "object",
  properties: { a: { properties: { x: {} } } },
  patternProperties: { "^x-": {} },
  additionalProperties: false,
};

function strip(schema: JsonSchema, value: unknown, mode: "closed" | "all" | "none"): unknown {
  return normalise(schema, value, { strip: mode }).value;
}

describe("removal of undeclared members", () => {
  const value = { a: { x: 1, y: 2 }, "x-ray": 3, b: 4 };

  it("normalise removes nothing without the option strip", () => {
    expect(strip(closed, value, "none")).toBe(value);
    expect(normalise(closed, value, {}).value).toBe(value);
  });

  it('normalise with strip "closed" removes undeclared members of closed objects', () => {
    expect(normalise(closed, value, { strip: "closed" })).toEqual({
      value: { a: { x: 1, y: 2 }, "x-ray": 3 },
      changes: [{ path: "/b", edit: "stripped" }],
    });
  });

  it('normalise with strip "all" removes undeclared members at every depth', () => {
    expect(normalise(closed, value, { strip: "all" })).toEqual({
      value: { a: { x: 1 }, "x-ray": 3 },
      changes: [
        { path: "/b", edit: "stripped" },
        { path: "/a/y", edit: "stripped" },
      ],
    });
  });

  it("normalise with strip empties a closed object that declares nothing", () => {
    const empty = { type: "object", additionalProperties: false };
    expect([strip(empty, { a: 1 }, "closed"), strip(empty, { a: 1 }, "all")]).toEqual([{}, {}]);
  });

  it("normalise with strip keeps the members of an object whose schema declares no members", () => {
    const free = { properties: { headers: { type: "object" } } };
    expect(strip(free, { headers: { etag: "1" } }, "all")).toEqual({ headers: { etag: "1" } });
  });

  it("normalise with strip removes undeclared members inside lists, tuples and maps", () => {
    const one = { properties: { a: {} } };
    const schema = {
      properties: {
        list: { items: one },
        tuple: { prefixItems: [one], items: true },
        map: { additionalProperties: one },
      },
    };
    const full = { a: 1, b: 2 };
    expect(strip(schema, { list: [full], tuple: [full, full], map: { m: full } }, "all")).toEqual({
      list: [{ a: 1 }],
      tuple: [{ a: 1 }, full],
      map: { m: { a: 1 } },
    });
  });

  it("the paths of the changes that normalise lists escape the names of removed members", () => {
    const { changes } = normalise(closed, { "b/c~d": 1 }, { strip: "all" });
    expect(changes).toEqual([{ path: "/b~1c~0d", edit: "stripped" }]);
  });

  it("normalise with strip treats __proto__ as an ordinary name", () => {
    const given: unknown = JSON.parse('{"a":{},"__proto__":{"x":1}}');
    expect(Object.keys(strip(closed, given, "closed") as object)).toEqual(["a"]);
    const schema = JSON.parse('{"properties":{"__proto__":{},"a":{"default":1}}}') as JsonSchema;
    const kept = normalise(schema, JSON.parse('{"__proto__":{"x":1},"b":1}'), {
      strip: "all",
      defaults: true,
    }).value as object;
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"x":1},"a":1}');
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

function form(kind: string, name: string): JsonSchema {
  return {
    properties: { kind: { const: kind }, [name]: {} },
    required: ["kind"],
    additionalProperties: false,
  };
}

describe("removal of undeclared members with several schemas for one object", () => {
  const ab = { a: 1, b: 2, c: 3 };

  it.each<[string, JsonSchema]>([
    ["the parts of an allOf", { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
    [
      "an object schema and its anyOf",
      { properties: { a: {} }, anyOf: [{ properties: { b: {} } }] },
    ],
    [
      "a reference and keywords beside it",
      {
        $defs: { base: { properties: { a: {} } } },
        $ref: "#/$defs/base",
        properties: { b: {} },
      },
    ],
    [
      "nested allOf",
      { allOf: [{ allOf: [{ properties: { a: {} } }] }, { patternProperties: { "^b$": {} } }] },
    ],
  ])("normalise with strip keeps what any part of the schema declares: %s", (_, schema) => {
    expect(normalise(schema, ab, { strip: "all" })).toEqual({
      value: { a: 1, b: 2 },
      changes: [{ path: "/c", edit: "stripped" }],
    });
  });

  it.each<[string, JsonSchema]>([
    ["a map of anything", { properties: { a: {} }, additionalProperties: { type: "number" } }],
    ["a condition", { properties: { a: {} }, if: { properties: { b: {} } } }],
    ["no form that fits", { properties: { a: {} }, anyOf: [{ required: ["z"] }] }],
    ["the schema true", true],
  ])(
    "normalise with strip removes nothing if the declared names are not fully known: %s",
    (_, schema) => {
      expect(strip(schema, ab, "all")).toEqual(ab);
    },
  );

  it('normalise with strip "closed" keeps members that the only closed part of an allOf declares', () => {
    const schema = {
      allOf: [{ properties: { a: {}, b: {} }, additionalProperties: false }, { required: ["a"] }],
    };
    expect(strip(schema, ab, "closed")).toEqual({ a: 1, b: 2 });
  });

  it("normalise with strip removes members by the oneOf schema whose constant matches the value", () => {
    const schema = { oneOf: [form("one", "a"), form("two", "b")] };
    expect(strip(schema, { kind: "two", ...ab }, "closed")).toEqual({ kind: "two", b: 2 });
  });
});
