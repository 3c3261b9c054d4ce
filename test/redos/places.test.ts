import { createWaybill, defineOperation } from "@waybill/core";
import type { JsonSchema, ResultEnvelope } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { ATTACKS, attackText } from "./corpus.ts";
import type { Attack } from "./corpus.ts";

/** Long enough that each pattern blocks a backtracking engine. */
const LENGTH = 5_000;

interface Place {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly params: (text: string) => unknown;
}

const ANY: JsonSchema = { type: "object" };

/** Every place where Waybill accepts a pattern from outside. */
const PLACES: Readonly<Record<string, (pattern: string) => Place>> = {
  "a pattern of an input": (pattern) => ({
    input: { type: "object", properties: { a: { type: "string", pattern } } },
    output: ANY,
    params: (a) => ({ a }),
  }),
  "a pattern of an output": (pattern) => ({
    input: ANY,
    output: { anyOf: [{ properties: { a: { pattern } } }, { type: "array", items: { pattern } }] },
    params: (a) => ({ a }),
  }),
  "member names of an input without additional properties": (pattern) => ({
    input: { type: "object", patternProperties: { [pattern]: true }, additionalProperties: false },
    output: ANY,
    params: (name) => ({ [name]: 1 }),
  }),
  "member names of an output that is filled with defaults": (pattern) => ({
    input: ANY,
    output: {
      type: "object",
      properties: { own: { type: "string", default: "x" } },
      patternProperties: { [pattern]: true },
      additionalProperties: false,
    },
    params: (name) => ({ [name]: 1 }),
  }),
  "a pattern for member names": (pattern) => ({
    input: { type: "object", propertyNames: { pattern } },
    output: ANY,
    params: (name) => ({ [name]: 1 }),
  }),
};

async function attacked(place: Place, text: string): Promise<ResultEnvelope> {
  const waybill = createWaybill({
    operations: [
      defineOperation({
        id: "evil.call",
        description: "Has a pattern",
        effect: "read",
        input: place.input,
        output: place.output,
        handler: (input: unknown) => input,
      }),
    ],
  });
  return waybill.execute("evil.call", place.params(text));
}

function platformAccepts({ pattern }: Attack): boolean {
  return new RegExp(pattern, "u").unicode;
}

describe("attack patterns", () => {
  it("the corpus of attack patterns has at least 200 regular expressions that JavaScript accepts, each with its source", () => {
    expect(ATTACKS.filter(platformAccepts).length).toBeGreaterThanOrEqual(200);
    expect(ATTACKS.filter(({ source }) => source === "")).toEqual([]);
  });
});

describe.each(Object.entries(PLACES))("attacks on %s", (_, placeOf) => {
  it("every regular expression that attacks Waybill ends with a result or VALIDATION", async () => {
    for (const attack of ATTACKS) {
      const result = await attacked(placeOf(attack.pattern), attackText(attack, LENGTH));
      const isSound = result.ok || result.error.code === "VALIDATION";
      expect([attack.pattern, isSound]).toEqual([attack.pattern, true]);
    }
  });
});
