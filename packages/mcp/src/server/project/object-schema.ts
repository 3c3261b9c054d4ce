import { isRecord } from "@waybill/core/schema";

type Schema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends Schema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const UNIONS = ["anyOf", "oneOf"] as const;
const MAX_DEPTH = 8;

function requiredList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function getForms(schema: Schema, keyword: string): Schema[] {
  const forms = schema[keyword];
  return Array.isArray(forms) ? forms.filter(isRecord) : [];
}

interface Members {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

function together(parts: readonly Members[]): Record<string, unknown> {
  return Object.fromEntries(parts.flatMap(({ properties }) => Object.entries(properties)));
}

/** A member is required if every form of the union requires it, and allowed if any form has it. */
function eitherForm(forms: readonly Members[]): Members {
  const [first, ...others] = forms;
  const required = (first?.required ?? []).filter((name) =>
    others.every((form) => form.required.includes(name)),
  );
  return { properties: together(forms), required };
}

function mergedMembers(schema: Schema, depth: number): Members {
  if (depth > MAX_DEPTH) return { properties: {}, required: [] };
  const own: Members = {
    properties: isRecord(schema["properties"]) ? schema["properties"] : {},
    required: requiredList(schema["required"]),
  };
  const parts = [
    ...UNIONS.map((keyword) =>
      eitherForm(getForms(schema, keyword).map((form) => mergedMembers(form, depth + 1))),
    ),
    ...getForms(schema, "allOf").map((form) => mergedMembers(form, depth + 1)),
    own,
  ];
  return {
    properties: together(parts),
    required: [...new Set(parts.flatMap((part) => part.required))],
  };
}

/**
 * Converts the root of a schema to one object. No provider accepts a union there, and some drop
 * all tools if one tool has it.
 */
export function toObjectSchema(schema: unknown): ObjectSchema {
  const root = isRecord(schema) ? schema : {};
  const { properties, required } = mergedMembers(root, 0);
  const known = required.filter((name) => Object.hasOwn(properties, name));
  const closed = root["additionalProperties"] === false ? { additionalProperties: false } : {};
  return {
    type: "object",
    properties,
    ...(known.length > 0 && { required: known }),
    ...closed,
  };
}
