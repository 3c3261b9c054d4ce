import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker, normalise } from "./index.ts";

const checker = await loadChecker();
const everything = { strip: "all", defaults: true, decode: true } as const;

const record: JsonSchema = {
  type: "object",
  required: ["id", "total"],
  properties: { id: { type: "string" }, total: { type: "number" } },
};

describe("required values", () => {
  it.each<[string, unknown]>([
    ["an error body", { error: "not found" }],
    ["an empty object", {}],
    ["half a record", { id: "7" }],
    ["a record of wrong types", { id: 7, total: "many" }],
    ["null", null],
    ["text", "not found"],
    ["a list", []],
  ])("normalise never invents a required value for %s", (_, value) => {
    for (const strip of ["none", "closed", "all"] as const) {
      const cleaned = normalise(record, value, { ...everything, strip });
      expect(checker.compile(record).check(cleaned.value)).toBe(false);
    }
  });

  it("normalise does not invent a required value if the schema is closed", () => {
    const closed = { ...record, additionalProperties: false };
    const { value, changes } = normalise(closed, { error: "not found" }, everything);
    expect(value).toEqual({});
    expect(changes).toEqual([{ path: "/error", edit: "stripped" }]);
  });
});

describe("values filled in from the schema", () => {
  const schema: JsonSchema = {
    type: "object",
    $defs: { size: { type: "integer", default: 20 } },
    properties: {
      size: { $ref: "#/$defs/size" },
      other: { $ref: "#/$defs/size", default: 30 },
      plain: { type: "string" },
      nested: { type: "object", properties: { list: { default: [1] } } },
      items: { type: "array", items: { properties: { state: { default: "open" } } } },
    },
  };

  it("normalise fills defaults in nested objects, in lists and through references", () => {
    const { value, changes } = normalise(schema, { nested: {}, items: [{}] }, { defaults: true });
    expect(value).toEqual({
      nested: { list: [1] },
      items: [{ state: "open" }],
      size: 20,
      other: 30,
    });
    expect(changes.map(({ path }) => path)).toEqual([
      "/nested/list",
      "/items/0/state",
      "/size",
      "/other",
    ]);
    expect(changes.every(({ edit }) => edit === "defaulted")).toBe(true);
  });

  it("normalise never replaces an existing value by a default, not even null", () => {
    const value = { size: null, other: 0, nested: { list: undefined } };
    expect(normalise(schema, value, { defaults: true }).value).toBe(value);
  });

  it("normalise does not fill in defaults without the option defaults", () => {
    expect(normalise(schema, {}, {})).toEqual({ value: {}, changes: [] });
  });

  it("normalise fills in copies of defaults, so that one caller cannot change the defaults of another", () => {
    const first = normalise(schema, { nested: {} }, { defaults: true }).value;
    (first as { nested: { list: number[] } }).nested.list.push(2);
    const second = normalise(schema, { nested: {} }, { defaults: true }).value;
    expect(second).toMatchObject({ nested: { list: [1] } });
  });

  it("normalise fills in defaults from all parts of allOf and from the matching form of oneOf", () => {
    const parts: JsonSchema = {
      allOf: [{ properties: { a: { default: 1 } } }, { properties: { b: { default: 2 } } }],
      oneOf: [
        { required: ["x"], properties: { x: {}, ofX: { default: "x" } } },
        { required: ["y"], properties: { y: {}, ofY: { default: "y" } } },
      ],
    };
    const { value } = normalise(parts, { y: 0 }, { defaults: true });
    expect(value).toEqual({ y: 0, a: 1, b: 2, ofY: "y" });
  });

  it("normalise fills in defaults from properties beside a reference", () => {
    const beside = {
      $defs: { base: { properties: { a: { default: 1 } } } },
      $ref: "#/$defs/base",
      properties: { b: { default: 2 } },
    };
    expect(normalise(beside, {}, { defaults: true }).value).toEqual({ a: 1, b: 2 });
  });

  it("normalise does not fill in defaults inside a default", () => {
    const self = { properties: { child: { $ref: "#", default: {} } } };
    expect(normalise(self, {}, { defaults: true }).value).toEqual({ child: {} });
  });
});

describe("input of normalise", () => {
  const schema: JsonSchema = {
    properties: {
      same: { properties: { a: {} } },
      other: { properties: { a: {} }, additionalProperties: false },
      list: { items: { properties: { d: { default: 1 } } } },
    },
  };

  it("normalise does not modify its input and copies only what changes", () => {
    const same = Object.freeze({ a: Object.freeze([1]) });
    const whole = Object.freeze({ d: 0 });
    const other = Object.freeze({ a: 1, b: 2 });
    const value = Object.freeze({ same, other, list: Object.freeze([whole, Object.freeze({})]) });
    const cleaned = normalise(schema, value, { strip: "closed", defaults: true }).value as {
      same: unknown;
      list: unknown[];
    };
    expect(cleaned).toEqual({ same, other: { a: 1 }, list: [{ d: 0 }, { d: 1 }] });
    expect(cleaned.same).toBe(same);
    expect(cleaned.list[0]).toBe(whole);
  });

  it("normalise returns the input itself if nothing changes", () => {
    const value = { same: {}, other: { a: 1 }, list: [{ d: 5 }] };
    expect(normalise(schema, value, everything).value).toBe(value);
  });

  it("normalise stops at a depth of 100 levels", () => {
    const deep: JsonSchema = { properties: { in: { $ref: "#" }, d: { default: 1 } } };
    let value: Record<string, unknown> = {};
    for (let level = 0; level < 1_000; level++) value = { in: value };
    const { changes } = normalise(deep, value, { defaults: true });
    expect(changes).toHaveLength(101);
  });

  it("normalise lists at most 1,000 changes and makes all changes", () => {
    const schemaOfMany = { items: { properties: { d: { default: 1 } } } };
    const many = Array.from({ length: 1_500 }, () => ({}));
    const { value, changes } = normalise(schemaOfMany, many, { defaults: true });
    expect(changes).toHaveLength(1_000);
    expect((value as unknown[]).at(-1)).toEqual({ d: 1 });
  });

  it("normalise does not count values that cannot change towards its limit of values", () => {
    const row = { type: "object", properties: { id: { type: "integer" }, n: { type: "integer" } } };
    const rows = Array.from({ length: 400_000 }, () => ({
      n: 1,
      m: 2,
      id: "12345678901234567890",
    }));
    const { value } = normalise({ items: row }, rows, { digits: "number" });
    expect((value as unknown[]).at(-1)).toEqual({ n: 1, m: 2, id: 12345678901234567000 });
  });
});
