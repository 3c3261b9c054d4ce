import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { describeInputs, inputNames, loadChecker, normalise } from "./index.ts";
import type { CompiledSchema } from "./index.ts";

async function compiled(schema: JsonSchema): Promise<CompiledSchema> {
  return (await loadChecker(schema)).compile(schema);
}

const NODE = { $ref: "#/$defs/node" };
const CHILD = { properties: { c: NODE } };
const TOO_LARGE = [{ path: "", message: "is too large to be checked" }];

function nested(depth: number, leaf: unknown): unknown {
  return depth === 0 ? leaf : { c: nested(depth - 1, leaf) };
}

/**
 * Schemas in which each level refers to the next one several times. Written out in full, they
 * would be endless.
 */
function levels(keyword: string, count: number, width: number): JsonSchema {
  const next = (index: number): unknown[] =>
    Array.from({ length: width }, () => ({ $ref: `#/$defs/d${index + 1}` }));
  const $defs = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index}`, { [keyword]: next(index) }]),
  );
  const last = { properties: { z: { type: "string" } } };
  return { type: "object", [keyword]: next(0), $defs: { ...$defs, [`d${count}`]: last } };
}

/** Schemas that contain themselves twice, so that the time doubles with each level of a value. */
const DOUBLING: Record<string, JsonSchema> = {
  anyOf: {
    anyOf: [
      { ...CHILD, required: ["x"] },
      { ...CHILD, required: ["y"] },
    ],
  },
  oneOf: { oneOf: [CHILD, { ...CHILD, required: ["c"] }, { type: "string" }] },
  allOf: { allOf: [CHILD, CHILD] },
  "unevaluatedProperties beside anyOf": { anyOf: [CHILD, CHILD], unevaluatedProperties: false },
};

describe("recursive schemas", () => {
  it.each(Object.entries(DOUBLING))(
    "a schema that contains itself twice by %s gives a verdict on a value of 200 levels",
    async (_, node) => {
      const own = await compiled({ properties: { v: NODE }, $defs: { node } });
      const value = { v: nested(200, 1) };
      expect(own.check(value)).toBe(false);
      expect(own.issues(value)).toHaveLength(1);
    },
  );

  it("a schema that contains itself once checks a value of 300 levels", async () => {
    const node = { anyOf: [{ type: "object", ...CHILD }, { type: "number" }] };
    const own = await compiled({ properties: { v: NODE }, $defs: { node } });
    expect(own.check({ v: nested(300, 1) })).toBe(true);
    expect(own.check({ v: nested(300, "text") })).toBe(false);
  });

  it("a schema that contains itself without an end reports a value as too large", async () => {
    for (const keyword of ["allOf", "anyOf"]) {
      const own = await compiled({
        properties: { v: NODE },
        $defs: { node: { [keyword]: [NODE, NODE] } },
      });
      expect(own.check({ v: 1 })).toBe(false);
      expect(own.issues({ v: 1 })).toEqual(TOO_LARGE);
    }
  });

  it("thousands of allowed values and required names of a schema can be checked", async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `n${index}`);
    const allowed = await compiled({ enum: names });
    expect(["n0", "n4999", "n5000"].map((name) => allowed.check(name))).toEqual([
      true,
      true,
      false,
    ]);
    expect(allowed.issues("n5000")).toHaveLength(1);
    const required = await compiled({ required: names });
    const whole = Object.fromEntries(names.map((name) => [name, 1]));
    expect([required.check(whole), required.check({})]).toEqual([true, false]);
  });

  it("a value that is nested deeper than the stack allows is reported as too large", async () => {
    const node = { anyOf: [{ type: "object", ...CHILD }, { type: "number" }] };
    const own = await compiled({ properties: { v: NODE }, $defs: { node } });
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = { c: deep };
    expect(own.issues({ v: deep })).toEqual(TOO_LARGE);
  });
});

describe.each(["allOf", "anyOf", "oneOf"])("exponential references by %s", (keyword) => {
  const schema = levels(keyword, 14, 8);

  it("a schema whose check takes exponential time reports a value as too large, quickly from the second time", async () => {
    const own = await compiled(schema);
    const value = { z: "text" };
    for (let time = 0; time < 20; time++) expect(own.check(value)).toBe(false);
    expect(own.issues(value)).toEqual(TOO_LARGE);
  });

  it("a schema whose check takes exponential time can still be read for names, normalised and described", () => {
    expect(inputNames(schema)).toEqual(new Set(["z"]));
    expect(normalise(schema, { z: "text" }, { defaults: true, strip: "all" }).value).toEqual({
      z: "text",
    });
    expect(describeInputs(schema).required).toEqual([]);
  });
});

describe("large values", () => {
  const numbers = Array.from({ length: 100_000 }, () => 1);

  it("a large list with duplicates gets one issue if its items must be unique", async () => {
    const own = await compiled({ properties: { v: { uniqueItems: true } } });
    expect(own.check({ v: [1, 2] })).toBe(true);
    expect(own.check({ v: [{ a: 1 }, { a: 1 }] })).toBe(false);
    expect(own.issues({ v: numbers })).toEqual([
      { path: "/v", message: "must not have duplicate items" },
    ]);
  });

  it("a large list is checked against a schema of usual size without reaching a limit", async () => {
    const item = { type: "object", properties: { n: { type: "integer" }, s: { type: "string" } } };
    const own = await compiled({ type: "array", items: item });
    expect(own.check(numbers.map((n) => ({ n, s: "text" })))).toBe(true);
  });

  it.each([150, 3_000])(
    "a large list with %i schemas for each item is reported as too large",
    async (count) => {
      const allOf = Array.from({ length: count }, () => ({
        allOf: Array.from({ length: 20 }, () => ({ type: "integer" })),
      }));
      const own = await compiled({ items: { allOf } });
      expect(own.check([1, 2, 3].slice(0, count > 200 ? 1 : 3))).toBe(true);
      expect(own.issues(numbers)).toEqual(TOO_LARGE);
    },
  );
});

/** A schema with many properties, the first of which has a pattern that takes very long. */
function patterned(parts: number): JsonSchema {
  const names = Array.from({ length: parts }, (_, index) => [`p${index}`, { type: "string" }]);
  const hidden = { type: "string", pattern: "^(a|a)*$" };
  return { type: "object", properties: { hidden, ...Object.fromEntries(names) } };
}

describe("schemas with very many parts", () => {
  it("a pattern in a schema of 5,000 parts is matched in linear time", async () => {
    const attack = { hidden: `${"a".repeat(64)}!` };
    expect((await compiled(patterned(5_000))).check(attack)).toBe(false);
  });

  it("a schema with more than 100,000 parts is refused", async () => {
    await expect(compiled(patterned(100_000))).rejects.toThrow("more than 100000 parts");
  });
});
