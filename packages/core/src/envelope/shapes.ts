import type { JsonSchema, JsonSchemaObject } from "./json.ts";

export const STRING: JsonSchemaObject = { type: "string" };
export const NUMBER: JsonSchemaObject = { type: "number" };
export const BOOLEAN: JsonSchemaObject = { type: "boolean" };
export const COUNT: JsonSchemaObject = { type: "integer", minimum: 0 };
export const ANY_OBJECT: JsonSchemaObject = { type: "object" };

/** An object that may hold more than what is named. */
export function open(
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return { type: "object", required, properties };
}

/** An object that holds what is named and nothing else. */
export function closed(
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return { type: "object", required, properties, additionalProperties: false };
}

export function arrayShape(items: JsonSchema): JsonSchemaObject {
  return { type: "array", items };
}
