import { isRecord } from "@waybill/core/schema";
import type { ObjectSchema } from "./object-schema.ts";
import { toObjectSchema } from "./object-schema.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that Gemini accepts for all types. With any other keyword, it refuses the tool. */
const KEPT = ["title", "description", "nullable"] as const;
const KEPT_FOR: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  array: ["minItems", "maxItems"],
  object: [],
  boolean: [],
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};
const TYPES = Object.keys(KEPT_FOR);
const TEXT = { type: "string" };
/** A schema for any value. Gemini has no keyword for that. */
const ANYTHING: Schema = {
  anyOf: [
    TEXT,
    { type: "number" },
    { type: "boolean" },
    { type: "object" },
    { type: "array", items: TEXT },
  ],
};

function geminiTypes(schema: Schema): string[] {
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one) => typeof one === "string");
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The values that a schema allows, from any keyword. Null is handled separately. */
function findValues(schema: Schema): unknown[] | undefined {
  const values: unknown = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) ? values : undefined;
}

function kept(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(schema, name)).map((name) => [name, schema[name]]),
  );
}

/** Gemini can list only strings. Other values are added to the description. */
function withValues(values: readonly unknown[], schema: Schema): Schema {
  const told = values.filter((value) => value !== null);
  const nullable = told.length < values.length ? { nullable: true } : {};
  if (told.length > 0 && told.every((value) => typeof value === "string" && value !== "")) {
    return { ...kept(schema, KEPT), ...nullable, type: "string", enum: told };
  }
  const [type = "string"] = told.map(typeOfValue).filter((one) => TYPES.includes(one));
  const words = `One of ${JSON.stringify(told).slice(1, -1).slice(0, 200)}`;
  const description = [schema["description"], words].filter(Boolean).join(". ");
  return projected({ ...kept(schema, ["title"]), ...nullable, type, description });
}

function ofOneType(type: string, schema: Schema): Schema {
  const format = schema["format"];
  const own = {
    ...kept(schema, [...KEPT, ...(KEPT_FOR[type] ?? [])]),
    type,
    ...(typeof format === "string" && FORMATS[type]?.includes(format) === true && { format }),
  };
  if (type === "array") return { ...own, items: projected(schema["items"]) };
  return type === "object" ? { ...own, ...objectMembers(schema) } : own;
}

function objectMembers(schema: Schema): Schema {
  const { properties, required } = toObjectSchema(schema);
  const members = Object.entries(properties);
  if (members.length === 0) return {};
  return {
    properties: Object.fromEntries(members.map(([name, member]) => [name, projected(member)])),
    ...(required !== undefined && { required }),
  };
}

/** Gemini allows no other keywords beside a union. */
function geminiUnion(forms: readonly unknown[], isNullable: boolean): Schema {
  const all = forms.map(projected);
  const flat = all.flatMap((form) => (Array.isArray(form["anyOf"]) ? form["anyOf"] : [form]));
  const [first, ...others] = flat as readonly Schema[];
  if (first === undefined) return ANYTHING;
  const nullable = isNullable ? { nullable: true } : {};
  return others.length === 0 ? { ...first, ...nullable } : { anyOf: [first, ...others] };
}

function isNull(form: unknown): boolean {
  return isRecord(form) && (form["type"] === "null" || form["const"] === null);
}

function projected(schema: unknown): Schema {
  if (!isRecord(schema)) return ANYTHING;
  const values = findValues(schema);
  if (values !== undefined) return withValues(values, schema);
  const forms = [schema["anyOf"], schema["oneOf"]].find((list) => Array.isArray(list));
  if (Array.isArray(forms)) {
    return geminiUnion(
      forms.filter((form) => !isNull(form)),
      forms.some(isNull),
    );
  }
  const types = geminiTypes(schema).filter((type) => TYPES.includes(type));
  const nullable = geminiTypes(schema).includes("null") ? { nullable: true } : {};
  const [type, ...more] = types.length > 0 ? types : impliedTypes(schema);
  if (type === undefined) return ANYTHING;
  if (more.length === 0) return ofOneType(type, { ...schema, ...nullable });
  return { anyOf: [type, ...more].map((one) => ofOneType(one, schema)) };
}

function impliedTypes(schema: Schema): string[] {
  if (isRecord(schema["properties"]) || Array.isArray(schema["allOf"])) return ["object"];
  return schema["items"] === undefined ? [] : ["array"];
}

/** Converts a schema to the keywords that Gemini supports. */
export function toGeminiSchema(root: ObjectSchema): ObjectSchema {
  const { required } = root;
  const members = Object.entries(root.properties);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, member]) => [name, projected(member)])),
    ...(required !== undefined && { required }),
  };
}
