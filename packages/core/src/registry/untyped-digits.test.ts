import { describe, expect, it } from "vitest";
import { createWaybill } from "../index.ts";
import type { JsonSchema } from "../index.ts";
import { defineOperation } from "../operation/index.ts";
import { localSource } from "../source/index.ts";
import type { Source } from "../source/index.ts";

const DIGITS = "12345678901234567890";
const STRING = /is sent as a string of digits: far\.call does not say what type it has$/u;

function farSource(input: JsonSchema, takesDigits = false): Source {
  const call = defineOperation({
    id: "far.call",
    description: "Sends its input",
    effect: "read",
    input,
    handler: (given: unknown) => given,
  });
  return localSource("far", [{ ...call, spec: { ...call.spec, takesDigits } }]);
}

async function warned(
  input: JsonSchema,
  params: unknown,
  takesDigits = false,
): Promise<readonly string[]> {
  const waybill = createWaybill({ sources: [farSource(input, takesDigits)] });
  const { meta } = await waybill.execute("far.call", params);
  return meta.warnings ?? [];
}

function having(a: JsonSchema): JsonSchema {
  return { type: "object", properties: { a } };
}

describe("integers beyond 2^53 for an input of a source", () => {
  it.each<[string, JsonSchema]>([
    ["has no type", {}],
    ["may be anything", true],
    ["may be a number or a string", { type: ["number", "string"] }],
    ["is a list without types", { type: "array" }],
  ])(
    "a call sends a string of digits beyond 2^53 unchanged and with a warning if the input %s",
    async (_, schema) => {
      const isList = typeof schema === "object" && schema["type"] === "array";
      const warnings = await warned(having(schema), { a: isList ? [1, DIGITS] : DIGITS });
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(STRING);
      expect(warnings[0]?.startsWith(isList ? "/a/1 " : "/a ")).toBe(true);
    },
  );

  it.each<[string, JsonSchema, string]>([
    ["the input is a string", { type: "string" }, DIGITS],
    ["the number is small", {}, "1234567890123456"],
    ["the string is not a number", {}, "1234567890123456789x"],
  ])("a call sends a string of digits without a warning if %s", async (_, schema, value) => {
    expect(await warned(having(schema), { a: value })).toEqual([]);
  });

  it("a call warns about a string of digits for an untyped input even if it converts one for an integer input", async () => {
    const input: JsonSchema = { type: "object", properties: { id: { type: "integer" }, a: {} } };
    const warnings = await warned(input, { id: DIGITS, a: [DIGITS, DIGITS] }, true);
    expect(warnings.map((text) => text.split(" ")[0])).toEqual(["/a/0", "/a/1"]);
  });
});
