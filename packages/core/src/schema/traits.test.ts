import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../envelope/index.ts";
import { readTraits } from "./traits.ts";

const gone = { $ref: "#/$defs/gone" };

/** Every position where a schema can contain another. */
const places: [string, (inner: JsonSchema) => JsonSchema][] = [
  ["items", (items) => ({ items })],
  ["prefixItems", (inner) => ({ prefixItems: [true, inner] })],
  ["properties", (a) => ({ properties: { a } })],
  ["patternProperties", (inner) => ({ patternProperties: { "^a": inner } })],
  ["additionalProperties", (additionalProperties) => ({ additionalProperties })],
  ["dependentSchemas", (a) => ({ dependentSchemas: { a } })],
  ["allOf", (inner) => ({ allOf: [inner] })],
  ["anyOf", (inner) => ({ anyOf: [inner] })],
  ["oneOf", (inner) => ({ oneOf: [inner] })],
  ["not", (not) => ({ not })],
  ["if", (inner) => ({ if: inner })],
  ["else", (inner) => ({ else: inner })],
  ["contains", (contains) => ({ contains })],
  ["propertyNames", (propertyNames) => ({ propertyNames })],
  ["unevaluatedProperties", (unevaluatedProperties) => ({ unevaluatedProperties })],
  ["unevaluatedItems", (unevaluatedItems) => ({ unevaluatedItems })],
  ["a reference", (not) => ({ $defs: { inner: { not } }, $ref: "#/$defs/inner" })],
];

describe.each(places)("traits in %s", (_, place) => {
  it("readTraits finds a nested default", () => {
    expect(readTraits(place({ default: null })).hasDefaults).toBe(true);
    expect(readTraits(place({ type: "string" })).hasDefaults).toBe(false);
  });

  it("readTraits finds a nested broken reference", () => {
    expect(readTraits(place(gone)).brokenRefs).toContain("#/$defs/gone");
    expect(readTraits(place({})).brokenRefs).toEqual([]);
  });

  it("readTraits finds a nested inherited name", () => {
    expect(readTraits(place({ required: ["toString"] })).namesInheritedMember).toBe(true);
    expect(readTraits(place({ required: ["title"] })).namesInheritedMember).toBe(false);
  });

  it("readTraits finds a nested pattern", () => {
    expect(readTraits(place({ pattern: "^a$" })).patterns).toContain("^a$");
  });
});

describe("traits of a schema", () => {
  it.each(["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"])(
    "readTraits recognises %s as an inherited name",
    (name) => {
      const properties = Object.fromEntries([[name, {}]]);
      expect(readTraits({ properties }).namesInheritedMember).toBe(true);
      expect(readTraits({ required: [name] }).namesInheritedMember).toBe(true);
    },
  );

  it("readTraits does not take a property named default for a default", () => {
    expect(readTraits({ properties: { default: {} } }).hasDefaults).toBe(false);
  });

  it("readTraits ignores unused definitions", () => {
    const traits = readTraits({ $defs: { unused: { default: 1, ...gone } } });
    expect(traits).toMatchObject({ hasDefaults: false, brokenRefs: [] });
  });

  it("readTraits does not loop on a schema that contains itself", () => {
    const traits = readTraits({ properties: { next: { $ref: "#" }, n: { default: 1 } } });
    expect(traits).toMatchObject({ hasDefaults: true, brokenRefs: [] });
  });

  it("readTraits lists at most 8 broken references", () => {
    const anyOf = Array.from({ length: 50 }, (_, index) => ({ $ref: `#/${index}` }));
    expect(readTraits({ anyOf }).brokenRefs).toHaveLength(8);
  });

  it("readTraits accepts the schema true and schemas with invalid keywords", () => {
    const sound = { hasDefaults: false, namesInheritedMember: false, brokenRefs: [] };
    expect(readTraits(true)).toMatchObject(sound);
    const odd = { required: "all", properties: 5, anyOf: {}, patternProperties: null, pattern: 1 };
    expect(readTraits(odd)).toMatchObject(sound);
  });
});
