import { isRecord } from "@waybill/core/schema";

type Schema = Readonly<Record<string, unknown>>;
/** Checks one schema of a tool, and returns what a provider would refuse. */
export type SchemaRule = (schema: Schema, path: string) => readonly string[];

const MAPS = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLES = ["items", "additionalProperties", "not", "if", "then", "else", "contains"];

function getChildren(schema: Schema): [string, unknown][] {
  const maps = MAPS.flatMap((key) => {
    const map = schema[key];
    return isRecord(map)
      ? Object.entries(map).map(([name, child]): [string, unknown] => [`${key}.${name}`, child])
      : [];
  });
  const lists = LISTS.flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list)
      ? list.map((child, index): [string, unknown] => [`${key}[${index}]`, child])
      : [];
  });
  return [...maps, ...lists, ...SINGLES.map((key): [string, unknown] => [key, schema[key]])];
}

/** Every required property must be declared. */
export const requiredRule: SchemaRule = ({ required, properties }, path) => {
  if (required === undefined) return [];
  if (!Array.isArray(required)) return [`${path}.required is not a list`];
  const known = isRecord(properties) ? properties : {};
  return required
    .filter((name) => typeof name !== "string" || !Object.hasOwn(known, name))
    .map((name) => `${path} requires ${String(name)}, which it does not have`);
};

/** Applies a rule to every schema within a schema. */
export function walkSchema(schema: unknown, rule: SchemaRule, path = "inputSchema"): string[] {
  if (!isRecord(schema)) return [];
  return [
    ...rule(schema, path),
    ...getChildren(schema).flatMap(([name, child]) => walkSchema(child, rule, `${path}.${name}`)),
  ];
}
