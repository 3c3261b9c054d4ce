import type { JsonSchema, JsonSchemaObject } from "./json.ts";

export const STRING: JsonSchemaObject = { type: "string" };
export const NUMBER: JsonSchemaObject = { type: "number" };
export const BOOLEAN: JsonSchemaObject = { type: "boolean" };
export const COUNT: JsonSchemaObject = { type: "integer", minimum: 0 };
export const ANY_OBJECT: JsonSchemaObject = { type: "object" };

/** An object schema that allows other members. */
export function open(
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return { type: "object", required, properties };
}

/** An object schema that allows no other members. */
export function closed(
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return { type: "object", required, properties, additionalProperties: false };
}

export function arrayShape(items: JsonSchema): JsonSchemaObject {
  return { type: "array", items };
}
