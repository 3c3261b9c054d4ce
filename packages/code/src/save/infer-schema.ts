import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

const MAX_DEPTH = 8;
/** How many items of a list are examined. */
const MAX_ITEMS = 200;

type Values = readonly unknown[];

function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** If there are both integers and other numbers, the type is number. */
function listTypes(values: Values): string[] {
  const types = new Set(values.map(jsonType));
  if (types.has("number")) types.delete("integer");
  return [...types].toSorted();
}

function objectParts(values: Values, depth: number): object {
  const objects = values.filter(isRecord);
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  if (names.length === 0) return {};
  const properties = names.map((name) => {
    const given = objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []));
    return [name, schemaFor(given, depth + 1)] as const;
  });
  const required = names.filter((name) => objects.every((each) => Object.hasOwn(each, name)));
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function arrayParts(values: Values, depth: number): object {
  const items = values
    .filter((value) => Array.isArray(value))
    .flat()
    .slice(0, MAX_ITEMS);
  return items.length === 0 ? {} : { items: schemaFor(items, depth + 1) };
}

/** A schema that matches all of these values. */
function schemaFor(values: Values, depth: number): JsonSchema {
  if (values.length === 0 || depth > MAX_DEPTH) return {};
  const types = listTypes(values);
  return {
    type: types.length === 1 ? types[0]! : types,
    ...(types.includes("object") && objectParts(values, depth)),
    ...(types.includes("array") && arrayParts(values, depth)),
  };
}

/** A schema for a value, like one that a person would write from this example. */
export function inferSchema(value: unknown): JsonSchema {
  return schemaFor([value], 0);
}
