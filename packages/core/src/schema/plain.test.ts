import {
  array,
  assert as check,
  constant,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  property,
  record,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchemaObject } from "../envelope/index.ts";
import { Check, Errors, Settings } from "./checker-engine.ts";
import { isPlain, plainErrors } from "./plain.ts";

const MOST = 256;
Settings.Set({ maxErrors: MOST });

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
const NAMES = ["a", "b/c", "d~e"];

const scalar = oneof(
  constantFrom("", "x", "long text", "\u{1F44B}", null, true, false, 0, 1, -1.5, 7, NaN, Infinity),
  constant(undefined),
);
const { value } = letrec<{ value: unknown }>((tie) => ({
  value: oneof(
    { depthSize: "small" },
    scalar,
    array(tie("value"), { maxLength: 3 }),
    dictionary(constantFrom(...NAMES, "z"), tie("value"), { maxKeys: 3 }),
  ),
}));
const { schema } = letrec<{ schema: JsonSchemaObject }>((tie) => ({
  schema: record(
    {
      type: oneof(
        constantFrom(...TYPES),
        uniqueArray(constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
      ),
      required: uniqueArray(constantFrom(...NAMES), { maxLength: 2 }),
      properties: dictionary(constantFrom(...NAMES), tie("schema"), { maxKeys: 2 }),
      items: tie("schema"),
      enum: array(constantFrom("x", "", 1, null, true), { minLength: 1, maxLength: 3 }),
      minimum: constantFrom(-1, 0, 2),
      maximum: constantFrom(1, 7),
      minLength: constantFrom(0, 1),
      description: constant("a remark"),
    },
    { requiredKeys: [] },
  ),
}));

describe("plain schemas", () => {
  it("plainErrors returns the errors that the schema engine returns", () => {
    check(
      property(schema, value, (given, input) => {
        expect(isPlain(given)).toBe(true);
        const errors = plainErrors(given, input, MOST);
        expect(errors.length === 0).toBe(Check(given, input));
        expect(errors).toEqual(Errors(given, input)[1]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("isPlain is false for a schema that needs the schema engine", () => {
    for (const given of [
      true,
      { pattern: "a" },
      { minLength: 2 },
      { type: "text" },
      { enum: [{}] },
      { items: [{}] },
      { properties: { a: { $ref: "#" } } },
      { additionalProperties: false },
    ]) {
      expect(isPlain(given)).toBe(false);
    }
  });
});
