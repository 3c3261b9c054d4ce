import { isRecord } from "@waybill/core/schema";
import type { ToolFormat } from "../project/formats.ts";
import { geminiSchemaRule } from "./gemini-rules.ts";
import { requiredRule, walkSchema } from "./schema-walk.ts";

/** The parts of a tool that a provider sees. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

const ROOT_UNIONS = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"];
const MAX_DESCRIPTION = 1_024;
const MAX_PROPERTIES = 5_000;

const NAMES: Readonly<Record<ToolFormat, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/u,
  openai: /^[a-zA-Z0-9_-]{1,64}$/u,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/u,
};

function nameProblems(format: ToolFormat, { name }: ToolDefinition): string[] {
  return NAMES[format].test(name)
    ? []
    : [`name ${JSON.stringify(name)} must match ${String(NAMES[format])}`];
}

function rootProblems({ inputSchema }: ToolDefinition): string[] {
  if (!isRecord(inputSchema)) return ["inputSchema is not an object"];
  return [
    ...(inputSchema["type"] === "object" ? [] : ["inputSchema.type is not object"]),
    ...ROOT_UNIONS.filter((word) => Object.hasOwn(inputSchema, word)).map(
      (word) => `inputSchema has ${word} at its root`,
    ),
  ];
}

function requiredProblems({ inputSchema }: ToolDefinition): readonly string[] {
  return isRecord(inputSchema) ? requiredRule(inputSchema, "inputSchema") : [];
}

function openaiProblems({ description = "", inputSchema }: ToolDefinition): string[] {
  let properties = 0;
  const problems = walkSchema(inputSchema, (schema, path) => {
    properties += isRecord(schema["properties"]) ? Object.keys(schema["properties"]).length : 0;
    const isList = schema["type"] === "array" && schema["items"] === undefined;
    return isList ? [`${path} is an array without items`] : [];
  });
  const hasProperties = isRecord(inputSchema) && isRecord(inputSchema["properties"]);
  return [
    ...problems,
    ...(hasProperties ? [] : ["inputSchema has no properties"]),
    ...(description.length > MAX_DESCRIPTION
      ? [`the description has ${description.length} characters; the limit is ${MAX_DESCRIPTION}`]
      : []),
    ...(properties > MAX_PROPERTIES
      ? [`inputSchema has ${properties} properties; the limit is ${MAX_PROPERTIES}`]
      : []),
  ];
}

/** Checks that property names are accepted by Anthropic's API. */
function anthropicProblems({ inputSchema }: ToolDefinition): string[] {
  return walkSchema(inputSchema, (schema, path) => {
    const names = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
    return names
      .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/u.test(name))
      .map(
        (name) =>
          `${path} has the property ${JSON.stringify(name)}; use 1 to 64 letters, digits, _, . and -`,
      );
  });
}

const OWN: Readonly<Record<ToolFormat, (tool: ToolDefinition) => readonly string[]>> = {
  anthropic: anthropicProblems,
  openai: openaiProblems,
  gemini: ({ inputSchema }) => walkSchema(inputSchema, geminiSchemaRule),
};

/** The reasons why a provider would refuse a tool. Empty if the provider accepts it. */
export function toolProblems(format: ToolFormat, tool: ToolDefinition): string[] {
  return [
    ...nameProblems(format, tool),
    ...rootProblems(tool),
    ...requiredProblems(tool),
    ...OWN[format](tool),
  ];
}
