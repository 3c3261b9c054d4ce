import { isRecord } from "@waybill/core/schema";
import { requiredRule } from "./schema-walk.ts";
import type { SchemaRule } from "./schema-walk.ts";

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);
/** The keywords that Gemini supports in a schema. Any other keyword makes the request fail. */
const WORDS = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "pattern",
  "anyOf",
  "minimum",
  "maximum",
]);
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

const typeRule: SchemaRule = ({ type, anyOf }, path) => {
  if (anyOf !== undefined) return [];
  return typeof type === "string" && TYPES.has(type) ? [] : [`${path} has no single type`];
};

const wordRule: SchemaRule = (schema, path) =>
  Object.keys(schema)
    .filter((word) => !WORDS.has(word))
    .map((word) => `${path} has ${word}`);

const unionRule: SchemaRule = (schema, path) => {
  if (schema["anyOf"] === undefined) return [];
  return Object.keys(schema).length === 1 ? [] : [`${path} has other keywords beside anyOf`];
};

const enumRule: SchemaRule = ({ enum: values, type }, path) => {
  if (values === undefined) return [];
  const isText = type === "string" && Array.isArray(values) && values.length > 0;
  const isFine = isText && values.every((value) => typeof value === "string" && value !== "");
  return isFine ? [] : [`${path} has an enum with values other than strings`];
};

const formatRule: SchemaRule = ({ format, type }, path) => {
  if (format === undefined) return [];
  const known = typeof type === "string" ? (FORMATS[type] ?? []) : [];
  return known.some((one) => one === format)
    ? []
    : [`${path} has the format ${JSON.stringify(format)}`];
};

const memberRule: SchemaRule = ({ type, items, properties }, path) => {
  if (type === "array" && !isRecord(items)) return [`${path} is an array without items`];
  const isEmpty = isRecord(properties) && Object.keys(properties).length === 0;
  // A function without inputs has no parameters.
  return isEmpty && path !== "inputSchema" ? [`${path} has empty properties`] : [];
};

const RULES = [requiredRule, typeRule, wordRule, unionRule, enumRule, formatRule, memberRule];

/** The parts of one schema that Gemini refuses. */
export const geminiSchemaRule: SchemaRule = (schema, path) =>
  RULES.flatMap((rule) => rule(schema, path));
