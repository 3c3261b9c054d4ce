import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOOL_FORMATS, toolProblems } from "../index.ts";
import type { ToolFormat } from "../index.ts";
import { formatsFor } from "../project/formats.ts";
import { projectInput } from "../project/project-input.ts";

const tool = (inputSchema: unknown, name = "a_b") => ({ name, description: "d", inputSchema });
const withField = (field: unknown) =>
  tool({ type: "object", properties: { field }, required: ["field"] });

describe("toolProblems", () => {
  it.each<[string, ToolFormat, object]>([
    ["a name with a dot", "anthropic", tool({ type: "object" }, "a.b")],
    ["a name with a dot", "openai", tool({ type: "object", properties: {} }, "a.b")],
    ["a name of 65 characters", "gemini", tool({ type: "object" }, "a".repeat(65))],
    ["a name that begins with a digit", "gemini", tool({ type: "object" }, "0a")],
    ["a union at the root", "anthropic", tool({ type: "object", anyOf: [{}] })],
    ["no object at the root", "openai", tool({ type: "string" })],
    ["no schema", "anthropic", tool(true)],
    [
      "a required property that is not declared",
      "anthropic",
      tool({ type: "object", required: ["a"] }),
    ],
    ["an invalid property name", "anthropic", tool({ type: "object", properties: { "a[b]": {} } })],
    ["no properties", "openai", tool({ type: "object" })],
    ["a list without items", "openai", withField({ type: "array" })],
    ["a list without items", "gemini", withField({ type: "array" })],
    ["several types", "gemini", withField({ type: ["string", "null"] })],
    ["no type", "gemini", withField({})],
    ["an unknown keyword", "gemini", withField({ type: "string", const: "a" })],
    ["a keyword beside a union", "gemini", withField({ anyOf: [{ type: "string" }], title: "t" })],
    ["an enum of numbers", "gemini", withField({ type: "integer", enum: [1] })],
    ["an empty value in an enum", "gemini", withField({ type: "string", enum: [""] })],
    ["an unknown format", "gemini", withField({ type: "string", format: "uri" })],
    ["a nested object without properties", "gemini", withField({ type: "object", properties: {} })],
  ])("toolProblems reports a tool with %s for the format %s", (_name, format, refused) => {
    expect(toolProblems(format, refused as never)).not.toEqual([]);
  });

  it.each(TOOL_FORMATS)(
    "toolProblems reports nothing for a plain tool in the format %s",
    (format) => {
      expect(toolProblems(format, withField({ type: "string" }))).toEqual([]);
    },
  );
});

it("an object whose member names Gemini does not accept is served to Gemini without properties", () => {
  const odd = { type: "object", properties: { "a b": true }, required: ["a b"] };
  const projected = projectInput(
    { type: "object", properties: { odd } },
    formatsFor("gemini-cli"),
  ).schema;
  expect(projected.properties["odd"]).not.toHaveProperty("properties");
  expect(toolProblems("gemini", tool(projected))).toEqual([]);
});

const type = fc.constantFrom("string", "integer", "number", "boolean", "object", "array", "null");
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type)),
        enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
        const: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        format: fc.constantFrom("uri", "date-time", "int32"),
        properties: fc.dictionary(fc.string(), tie("schema"), { maxKeys: 4 }),
        required: fc.array(fc.string()),
        items: tie("schema"),
        prefixItems: fc.array(tie("schema"), { maxLength: 3 }),
        additionalProperties: tie("schema"),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        not: tie("schema"),
        minimum: fc.integer(),
        description: fc.string(),
      },
      { requiredKeys: [] },
    ),
  ),
}));

describe.each(["claude-code", "codex", "gemini-cli", "an editor"])(
  "projectInput for %s",
  (client) => {
    it("projectInput turns any schema into a schema that the model provider accepts", () => {
      const formats = formatsFor(client);
      fc.assert(
        fc.property(schema, (given) => {
          const projected = projectInput(given as never, formats).schema;
          for (const format of formats) expect(toolProblems(format, tool(projected))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });
  },
);
