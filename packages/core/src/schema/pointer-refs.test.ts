import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { loadChecker } from "./index.ts";

/**
 * A pattern that no engine can run in linear time. A checker that reads it reports that it is
 * skipped.
 */
const UNSUPPORTED = "(?<!a)b$";

interface Place {
  readonly schema: JsonSchema;
  readonly value: (text: string) => unknown;
}

const itself = (text: string): unknown => text;
const named = (keyword: string): JsonSchema => ({ $defs: { x: { [keyword]: "n", pattern: "" } } });

/** Positions of a pattern that the engine reaches in different ways. */
const PLACES: Readonly<Record<string, (pattern: string) => Place>> = {
  $anchor: (pattern) => ({
    schema: { $ref: "#n", $defs: { x: { $anchor: "n", pattern } } },
    value: itself,
  }),
  $dynamicRef: (pattern) => ({
    schema: { $dynamicRef: "#n", $defs: { x: { $dynamicAnchor: "n", pattern } } },
    value: itself,
  }),
  "$ref to a $dynamicAnchor": (pattern) => ({
    schema: { $ref: "#n", $defs: { x: { $dynamicAnchor: "n", pattern } } },
    value: itself,
  }),
  $recursiveRef: (pattern) => ({
    schema: { $recursiveAnchor: true, properties: { a: { $recursiveRef: "#" } }, pattern },
    value: (a) => ({ a }),
  }),
  "$ref to an $id": (pattern) => ({
    schema: { $ref: "urn:x", $defs: { x: { $id: "urn:x", pattern } } },
    value: itself,
  }),
  "an $anchor that another schema has too": (pattern) => ({
    schema: {
      properties: { a: { $id: "http://h/a", $ref: "#n", $defs: { x: { $anchor: "n", pattern } } } },
      $defs: { y: { $anchor: "n", pattern } },
    },
    value: (a) => ({ a }),
  }),
  "a schema that contains itself by name": (pattern) => ({
    schema: {
      $dynamicAnchor: "n",
      pattern,
      properties: { a: { $dynamicRef: "#n" }, b: { $dynamicRef: "#n" } },
    },
    value: (text) => ({ a: { b: text } }),
  }),
  "a list in items": (pattern) => ({ schema: { items: [{ pattern }] }, value: (a) => [a] }),
  additionalItems: (pattern) => ({
    schema: { items: [{}], additionalItems: { pattern } },
    value: (a) => [1, a],
  }),
  dependencies: (pattern) => ({
    schema: { dependencies: { a: { properties: { a: { pattern } } } } },
    value: (a) => ({ a }),
  }),
};

async function compile(schema: JsonSchema) {
  return (await loadChecker(schema)).compile(schema);
}

describe.each(Object.entries(PLACES))("patterns behind %s", (_, place) => {
  it("a pattern behind a $ref of a schema is checked", async () => {
    const { schema, value } = place("^(a|a)*$");
    const compiled = await compile(schema);
    expect(compiled.check(value("aaa"))).toBe(true);
    expect(compiled.check(value("ab"))).toBe(false);
    expect(compiled.issues(value("ab"))[0]?.message).toContain("must match pattern");
  });

  it("an unsupported pattern behind a $ref is reported and accepts any string", async () => {
    const { schema, value } = place(UNSUPPORTED);
    const compiled = await compile(schema);
    expect(compiled.skipped).toEqual([expect.stringContaining(JSON.stringify(UNSUPPORTED))]);
    expect(compiled.check(value("ab"))).toBe(true);
  });
});

describe("references by name", () => {
  it("a schema with a $ref to an unknown name is refused", async () => {
    await expect(
      compile({ $dynamicRef: "#other", ...(named("$dynamicAnchor") as object) }),
    ).rejects.toThrow("the schema refers to parts that do not exist: #other");
  });

  it("properties of a schema that are named $ref and $id are ordinary names", async () => {
    const compiled = await compile({
      properties: { $ref: { type: "string" }, $id: { type: "integer" } },
      allOf: [{ $ref: "#n" }],
      ...(named("$anchor") as object),
    });
    expect(compiled.check({ $ref: "x", $id: 1 })).toBe(true);
    expect(compiled.check({ $ref: 1 })).toBe(false);
    expect(compiled.check({ $id: "x" })).toBe(false);
  });

  it("$ref and $id inside a const of a schema are plain data", async () => {
    const compiled = await compile({
      anyOf: [{ const: { $ref: "#n", $id: "x" } }, { $ref: "#n", type: "integer" }],
      ...(named("$anchor") as object),
    });
    expect(compiled.check({ $ref: "#n", $id: "x" })).toBe(true);
    expect(compiled.check({ $ref: "#n" })).toBe(false);
  });
});
