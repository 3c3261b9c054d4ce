import { isRecord } from "../envelope/index.ts";

/** Whether a value has a JSON Schema type. A whole number is both `integer` and `number`. */
export function matchesType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

export function declaredTypes(schema: Record<string, unknown>): string[] {
  const type = schema["type"];
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((item): item is string => typeof item === "string") : [];
}

export function acceptsType(schema: Record<string, unknown>, value: unknown): boolean {
  if (typeof schema["type"] === "string") return matchesType(schema["type"], value);
  const types = declaredTypes(schema);
  return types.length === 0 || types.some((type) => matchesType(type, value));
}

export function recordOrEmpty(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

const NO_FORMS: readonly unknown[] = [];

/** The alternatives of a union, from any of its keywords. */
export function unionForms(schema: Record<string, unknown>): readonly unknown[] {
  if (schema["anyOf"] === undefined && schema["oneOf"] === undefined) return NO_FORMS;
  return [...listIn(schema["anyOf"]), ...listIn(schema["oneOf"])];
}
