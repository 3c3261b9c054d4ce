import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker, normalise } from "./index.ts";

const checker = await loadChecker();
const object: JsonSchema = { type: "object", properties: { a: { type: "number" } } };

function decode(schema: JsonSchema, value: unknown): unknown {
  return normalise(schema, value, { decode: true }).value;
}

describe("decoding of JSON text", () => {
  it.each<[string, JsonSchema, string, unknown]>([
    ["an object", object, '{"a":1}', { a: 1 }],
    ["a list", { type: "array" }, " [1, 2] ", [1, 2]],
    ["a number", { type: "integer" }, "5", 5],
    ["a boolean", { type: "boolean" }, "true", true],
    ["null", { type: ["object", "null"] }, "null", null],
    ["a form of a union", { anyOf: [object, { type: "null" }] }, '{"a":1}', { a: 1 }],
    ["a typed union", { type: "object", oneOf: [{ required: ["a"] }] }, '{"a":1}', { a: 1 }],
    ["a value behind a reference", { $defs: { o: object }, $ref: "#/$defs/o" }, "{}", {}],
    ["a value in an allOf", { allOf: [object] }, "{}", {}],
    [
      "JSON text inside JSON text",
      { type: "object", properties: { a: object } },
      '{"a":"{}"}',
      { a: {} },
    ],
  ])("normalise decodes JSON text if the schema wants %s", (_, schema, text, expected) => {
    const { value, changes } = normalise(schema, text, { decode: true });
    expect(value).toEqual(expected);
    expect(changes[0]).toEqual({ path: "", edit: "decoded" });
    expect(checker.compile(schema).check(value)).toBe(true);
  });

  it.each<[string, JsonSchema, string]>([
    ["where the schema takes text", { type: ["object", "string"] }, '{"a":1}'],
    ["if the schema accepts anything", {}, '{"a":1}'],
    ["if one form accepts text", { anyOf: [object, { type: "string" }] }, '{"a":1}'],
    ["if it is not JSON", object, "not found"],
    ["if it is JSON of another type", object, "[1]"],
    ["if it decodes to a string", object, '"text"'],
    ["if it matches no form", { anyOf: [object, { type: "null" }] }, "5"],
    ["if it is a number with too many digits", { type: "integer" }, "1e999"],
    ["if it is an id that would change", { type: "integer" }, "12345678901234567890"],
    ["if it is too long", { type: "array" }, `[${" ".repeat(10_000_000)}]`],
  ])("normalise does not decode JSON text %s", (_, schema, text) => {
    expect(normalise(schema, text, { decode: true })).toEqual({ value: text, changes: [] });
  });

  it("normalise does not decode JSON text without the option decode", () => {
    expect(normalise(object, "{}", { defaults: true, strip: "all" }).value).toBe("{}");
  });

  it("normalise decodes JSON text only in members whose schema wants it decoded", () => {
    const schema = {
      properties: { a: { type: "array" }, b: { type: "string" } },
      patternProperties: { "^x-": {} },
      additionalProperties: { type: "object" },
    };
    const value = { a: "[1]", b: "[1]", "x-c": "{}", d: "{}" };
    expect(normalise(schema, value, { decode: true })).toEqual({
      value: { a: [1], b: "[1]", "x-c": "{}", d: {} },
      changes: [
        { path: "/a", edit: "decoded" },
        { path: "/d", edit: "decoded" },
      ],
    });
  });

  it("normalise makes a __proto__ key of decoded JSON text an own member", () => {
    const value = decode(object, '{"__proto__":{"admin":true}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Reflect.get({}, "admin")).toBeUndefined();
  });

  it("normalise removes undeclared members from decoded JSON text", () => {
    const closed = { ...object, additionalProperties: false };
    const { value, changes } = normalise(closed, '{"a":1,"b":2}', {
      decode: true,
      strip: "closed",
    });
    expect(value).toEqual({ a: 1 });
    expect(changes.map(({ edit }) => edit)).toEqual(["decoded", "stripped"]);
  });
});

function readList(schema: JsonSchema, text: string): unknown {
  return normalise(schema, text, { decode: true, lists: true }).value;
}

describe("decoding of comma-separated lists", () => {
  const words: JsonSchema = { type: "array", items: { enum: ["a", "b c"] } };

  it.each<[string, JsonSchema, string, unknown]>([
    ["one word", words, "a", ["a"]],
    ["words of the enum", words, "a, b c", ["a", "b c"]],
    ["words outside of the enum", words, "a,z", ["a", "z"]],
    ["numbers", { type: "array", items: { type: "integer" } }, "1,2", [1, 2]],
    ["one string", { type: "array", items: { type: "string" } }, "a b", ["a b"]],
    ["JSON text", { type: "array", items: { type: "string" } }, '["a,b"]', ["a,b"]],
    [
      "items behind a reference",
      { $defs: { w: { enum: ["a", "b"] } }, type: "array", items: { $ref: "#/$defs/w" } },
      "a,b",
      ["a", "b"],
    ],
    ["a form of a union", { anyOf: [words, { type: "null" }] }, "a", ["a"]],
  ])("normalise decodes a list given as text: %s", (_, schema, text, expected) => {
    expect(readList(schema, text)).toEqual(expected);
  });

  it.each<[string, JsonSchema, string]>([
    ["if the items may contain commas", { type: "array", items: { type: "string" } }, "a,b"],
    ["if an enum value contains a comma", { type: "array", items: { enum: ["a,b", "c"] } }, "a,b"],
    ["if the items can be anything", { type: "array" }, "a,b"],
    ["if the text is empty", words, " "],
    ["if the text begins like JSON", { type: "array" }, '["a"'],
    ["where the schema takes text", { type: ["array", "string"] }, "a"],
    ["if the schema wants no list", object, "a"],
  ])("normalise does not decode a list given as text %s", (_, schema, text) => {
    expect(readList(schema, text)).toBe(text);
  });

  it("normalise does not decode a list given as text without the option lists", () => {
    expect(decode(words, "a")).toBe("a");
  });
});

function form(...names: string[]): JsonSchema {
  return {
    type: "object",
    required: names.slice(0, 1),
    properties: Object.fromEntries(names.map((name) => [name, { type: "array" }])),
  };
}

describe("choice between the forms of a union", () => {
  it("normalise prefers the form that declares most of the members", () => {
    const schema = { anyOf: [form("a"), form("a", "b")] };
    expect(decode({ anyOf: [form("a"), true] }, { a: [] })).toEqual({ a: [] });
    expect(normalise(schema, { a: [], b: [], c: 1 }, { strip: "all" }).value).toEqual({
      a: [],
      b: [],
    });
  });

  it("normalise ignores a form whose allowed values exclude the value", () => {
    const schema = {
      anyOf: [
        { properties: { kind: { enum: ["x"] }, d: { default: 1 } } },
        { properties: { kind: { enum: ["y"] }, d: { default: 2 } } },
        false,
      ],
    };
    const filled = normalise(schema, { kind: "y" }, { defaults: true }).value;
    expect(filled).toEqual({ kind: "y", d: 2 });
  });
});
