import type { JsonSchema, JsonSchemaObject } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import type { RawError } from "./issues.ts";
import { pointerKey } from "./pointer.ts";
import { matchesType } from "./types.ts";

/** Keywords that do not restrict values. */
const REMARKS: ReadonlySet<string> = new Set(["default", "description", "examples", "title"]);
const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);
const MAX_DEPTH = 16;

type Value = Readonly<Record<string, unknown>>;

function isScalar(value: unknown): boolean {
  return value === null || ["boolean", "number", "string"].includes(typeof value);
}

/** For each keyword, a check that its value is fully supported here. */
const UNDERSTOOD: Readonly<Record<string, (value: unknown, depth: number) => boolean>> = {
  type: (value) => {
    if (!Array.isArray(value)) return TYPES.has(value);
    return value.length > 0 && value.every((one) => TYPES.has(one));
  },
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  properties: (value, depth) =>
    isRecord(value) && Object.values(value).every((one) => isUnderstood(one, depth)),
  items: (value, depth) => isUnderstood(value, depth),
  enum: (value) => Array.isArray(value) && value.every(isScalar),
  minimum: (value) => Number.isFinite(value),
  maximum: (value) => Number.isFinite(value),
  // 0 and 1 give the same result, however characters are counted.
  minLength: (value) => value === 0 || value === 1,
};

function isUnderstood(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth === 0) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (REMARKS.has(keyword)) return true;
    return Object.hasOwn(UNDERSTOOD, keyword) && UNDERSTOOD[keyword]!(value, depth - 1);
  });
}

/** Whether a schema is simple enough to be checked without the engine. */
export function isPlain(schema: JsonSchema): schema is JsonSchemaObject {
  return isUnderstood(schema, MAX_DEPTH);
}

/** Like the engine, which accepts no infinite numbers. */
function isOfType(type: unknown, value: unknown): boolean {
  return type === "number" ? Number.isFinite(value) : matchesType(type, value);
}

/** The positions of a schema and a value. */
interface Place {
  readonly schemaPath: string;
  readonly instancePath: string;
}

type Report = (keyword: string, place: Place, params: object, message: string) => void;

function typeMessage(type: unknown): string {
  return Array.isArray(type) ? `must be either ${type.join(" or ")}` : `must be ${String(type)}`;
}

function checkObject(schema: Value, value: Value, place: Place, report: Report): void {
  const { required = [], properties } = schema as { required?: string[]; properties?: Value };
  const requiredProperties = required.filter((name) => !(name in value));
  if (requiredProperties.length > 0) {
    const message = `must have required properties ${requiredProperties.join(", ")}`;
    report("required", place, { requiredProperties }, message);
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    // An optional member may also be present without a value.
    if (!(name in value) || (value[name] === undefined && !required.includes(name))) continue;
    const key = pointerKey(name);
    const schemaPath = `${place.schemaPath}/properties${key}`;
    const inner = { schemaPath, instancePath: `${place.instancePath}${key}` };
    checkValue(property as Value, value[name], inner, report);
  }
}

function checkItems(schema: Value, value: readonly unknown[], place: Place, report: Report): void {
  const { items } = schema;
  if (items === undefined) return;
  const schemaPath = `${place.schemaPath}/items`;
  value.forEach((item, index) => {
    const inner = { schemaPath, instancePath: `${place.instancePath}/${index}` };
    checkValue(items as Value, item, inner, report);
  });
}

function checkNumber(schema: Value, value: number, place: Place, report: Report): void {
  const { maximum, minimum } = schema as { maximum?: number; minimum?: number };
  if (maximum !== undefined && !(value <= maximum)) {
    report("maximum", place, { comparison: "<=", limit: maximum }, `must be <= ${maximum}`);
  }
  if (minimum !== undefined && !(value >= minimum)) {
    report("minimum", place, { comparison: ">=", limit: minimum }, `must be >= ${minimum}`);
  }
}

function checkValue(schema: Value, value: unknown, place: Place, report: Report): void {
  const { type, enum: allowedValues, minLength } = schema;
  const types: unknown[] = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((one) => isOfType(one, value))) {
    report("type", place, { type }, typeMessage(type));
  }
  if (isOfType("object", value)) checkObject(schema, value as Value, place, report);
  if (Array.isArray(value)) checkItems(schema, value, place, report);
  if (value === "" && minLength === 1) {
    report("minLength", place, { limit: 1 }, "must not have fewer than 1 characters");
  }
  if (isOfType("number", value)) checkNumber(schema, value as number, place, report);
  if (Array.isArray(allowedValues) && !allowedValues.includes(value)) {
    report("enum", place, { allowedValues }, "must be equal to one of the allowed values");
  }
}

/** All errors of a value, in the engine's format. */
export function plainErrors(schema: JsonSchemaObject, value: unknown, most: number): RawError[] {
  const errors: RawError[] = [];
  const report: Report = (keyword, place, params, message) => {
    if (errors.length < most) errors.push({ keyword, ...place, params, message });
  };
  checkValue(schema, value, { schemaPath: "#", instancePath: "" }, report);
  return errors;
}
