import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { GraphQLEnumType, GraphQLInputObjectType, GraphQLType } from "graphql";

/** The JSON type of each built-in scalar. A custom scalar can be anything. */
const SCALARS: Readonly<Record<string, JsonSchemaObject>> = {
  Int: { type: "integer" },
  Float: { type: "number" },
  String: { type: "string" },
  Boolean: { type: "boolean" },
  ID: { type: "string" },
};

/** The input types that were found, each once, because they may contain each other. */
export type Definitions = Map<string, JsonSchema>;

function describedType(schema: JsonSchemaObject, description?: string | null): JsonSchemaObject {
  return description ? { ...schema, description } : schema;
}

function enumSchema(type: GraphQLEnumType): JsonSchemaObject {
  return { enum: type.getValues().map(({ name }) => name) };
}

function define(type: GraphQLInputObjectType, definitions: Definitions): void {
  if (definitions.has(type.name)) return;
  definitions.set(type.name, true);
  const fields = Object.values(type.getFields());
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    properties[field.name] = describedType(typeSchema(field.type, definitions), field.description);
  }
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  const one = type.isOneOf ? { minProperties: 1, maxProperties: 1 } : {};
  const object = { type: "object", required, properties, additionalProperties: false, ...one };
  definitions.set(type.name, object);
}

/** The schema of a type without null. */
export function bareSchema(type: GraphQLType, definitions: Definitions): JsonSchemaObject {
  if (isListType(type)) return { type: "array", items: typeSchema(type.ofType, definitions) };
  if (isEnumType(type)) return enumSchema(type);
  if (!isInputObjectType(type)) return SCALARS[String(type)] ?? {};
  define(type, definitions);
  return { $ref: `#/$defs/${type.name}` };
}

/** Adds null to a schema. */
export function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const values: unknown = schema["enum"];
  if (Array.isArray(values)) return { ...schema, enum: [...(values as unknown[]), null] };
  if (typeof schema["type"] === "string") return { ...schema, type: [schema["type"], "null"] };
  return "$ref" in schema ? { anyOf: [schema, { type: "null" }] } : schema;
}

/** The JSON Schema of an input type. */
export function typeSchema(type: GraphQLType, definitions: Definitions): JsonSchemaObject {
  const schema = bareSchema(getNullableType(type), definitions);
  return isNonNullType(type) ? schema : orNull(schema);
}
