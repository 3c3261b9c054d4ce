import { isRecord } from "@waybill/core/schema";

type Members = Readonly<Record<string, unknown>>;

/** Deeper types become `unknown`: nobody reads them, and they slow the compiler down. */
const MAX_DEPTH = 12;
const MAX_VALUES = 60;

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

function literalType(value: unknown): string {
  const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value);
  return isPlain ? JSON.stringify(value) : "unknown";
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown") || distinct.length === 0) return "unknown";
  return distinct.join(" | ");
}

/** Puts brackets around a union before `[]` and `&`. */
function bracketedType(type: string): string {
  return /^(?:[\w.]+|\{[^]*\}|"[^"]*")$/u.test(type) && !/\} [|&] /u.test(type)
    ? type
    : `(${type})`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function objectType(schema: Members, depth: number): string {
  const required = new Set(asList(schema["required"]));
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.has(name) ? "" : "?";
    return `${propertyName(name)}${mark}: ${printType(member, depth + 1)}`;
  });
  const others = schema["additionalProperties"];
  if (members.length > 0) return `{ ${members.join("; ")} }`;
  const value = isRecord(others) ? printType(others, depth + 1) : "unknown";
  return others === false ? "Record<string, never>" : `Record<string, ${value}>`;
}

function oneType(type: unknown, schema: Members, depth: number): string {
  if (type === "array")
    return `readonly ${bracketedType(printType(schema["items"] ?? true, depth + 1))}[]`;
  if (type === "object") return objectType(schema, depth);
  return PLAIN[String(type)] ?? "unknown";
}

function ownType(schema: Members, depth: number): string {
  const type = schema["type"] ?? (isRecord(schema["properties"]) ? "object" : undefined);
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  return union(types.map((each) => oneType(each, schema, depth)));
}

/** Alternatives of a schema that only list required members do not change the type. */
function getForms(schema: Members, depth: number): string {
  const forms = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])];
  return forms.length === 0 ? "unknown" : union(forms.map((form) => printType(form, depth + 1)));
}

function typeParts(schema: Members, depth: number): string[] {
  return asList(schema["allOf"]).map((part) => printType(part, depth + 1));
}

/**
 * Writes a JSON Schema without references as a TypeScript type. Anything that TypeScript cannot
 * express becomes `unknown`.
 */
export function printType(schema: unknown, depth = 0): string {
  if (schema === false) return "never";
  if (!isRecord(schema) || depth > MAX_DEPTH) return "unknown";
  if (Object.hasOwn(schema, "const")) return literalType(schema["const"]);
  const values = asList(schema["enum"]);
  if (values.length > 0) {
    return values.length > MAX_VALUES ? ownType(schema, depth) : union(values.map(literalType));
  }
  const parts = [ownType(schema, depth), getForms(schema, depth), ...typeParts(schema, depth)];
  const known = parts.filter((part) => part !== "unknown");
  return known.length > 1 ? known.map(bracketedType).join(" & ") : (known[0] ?? "unknown");
}
