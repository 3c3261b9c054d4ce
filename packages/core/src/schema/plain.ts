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
  // For 0 and 1, the result does not depend on how characters are counted.
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

/** Accepts no infinite numbers, like the engine. */
function isOfType(type: unknown, value: unknown): boolean {
  return type === "number" ? Number.isFinite(value) : matchesType(type, value);
}

function typeMessage(type: unknown): string {
  return Array.isArray(type) ? `must be either ${type.join(" or ")}` : `must be ${String(type)}`;
}

function fitsType(type: unknown, value: unknown): boolean {
  if (!Array.isArray(type)) return type === undefined || isOfType(type, value);
  return type.some((one) => isOfType(one, value));
}

/**
 * One check of a value. Paths are written only for errors, because a large answer has a million
 * values, and the check ends after the last requested error.
 */
class PlainCheck {
  readonly errors: RawError[] = [];
  readonly #most: number;
  readonly #keys: (string | number)[] = [];
  readonly #schemaKeys: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  check(schema: Value, value: unknown): void {
    const { type, enum: allowedValues } = schema;
    if (!fitsType(type, value)) this.#report("type", { type }, typeMessage(type));
    if (Array.isArray(value)) this.#checkItems(schema, value);
    else if (isRecord(value)) this.#checkObject(schema, value);
    else if (value === "") this.#checkEmpty(schema);
    else if (Number.isFinite(value)) this.#checkNumber(schema, value as number);
    if (Array.isArray(allowedValues) && !allowedValues.includes(value)) {
      this.#report("enum", { allowedValues }, "must be equal to one of the allowed values");
    }
  }

  #report(keyword: string, params: object, message: string): void {
    if (this.#isFull()) return;
    const schemaPath = ["#", ...this.#schemaKeys].join("/");
    const instancePath = this.#keys.map(pointerKey).join("");
    this.errors.push({ keyword, schemaPath, instancePath, params, message });
  }

  #isFull(): boolean {
    return this.errors.length >= this.#most;
  }

  #checkObject(schema: Value, value: Value): void {
    const { required = [], properties } = schema as { required?: string[]; properties?: Value };
    const requiredProperties = required.filter((name) => !(name in value));
    if (requiredProperties.length > 0) {
      const message = `must have required properties ${requiredProperties.join(", ")}`;
      this.#report("required", { requiredProperties }, message);
    }
    for (const name in properties) {
      // An optional member may be present with the value undefined.
      if (!(name in value) || (value[name] === undefined && !required.includes(name))) continue;
      this.#schemaKeys.push("properties", pointerKey(name).slice(1));
      this.#checkMember(properties[name] as Value, value[name], name);
      this.#schemaKeys.length -= 2;
    }
  }

  #checkItems({ items }: Value, value: readonly unknown[]): void {
    if (items === undefined) return;
    this.#schemaKeys.push("items");
    for (let index = 0; index < value.length && !this.#isFull(); index++) {
      this.#checkMember(items as Value, value[index], index);
    }
    this.#schemaKeys.pop();
  }

  #checkMember(schema: Value, value: unknown, key: string | number): void {
    this.#keys.push(key);
    this.check(schema, value);
    this.#keys.pop();
  }

  #checkEmpty({ minLength }: Value): void {
    if (minLength !== 1) return;
    this.#report("minLength", { limit: 1 }, "must not have fewer than 1 characters");
  }

  #checkNumber(schema: Value, value: number): void {
    const { maximum, minimum } = schema as { maximum?: number; minimum?: number };
    if (maximum !== undefined && !(value <= maximum)) {
      this.#report("maximum", { comparison: "<=", limit: maximum }, `must be <= ${maximum}`);
    }
    if (minimum !== undefined && !(value >= minimum)) {
      this.#report("minimum", { comparison: ">=", limit: minimum }, `must be >= ${minimum}`);
    }
  }
}

/** The first errors of a value, in the engine's format. */
export function plainErrors(schema: JsonSchemaObject, value: unknown, most: number): RawError[] {
  const check = new PlainCheck(most);
  check.check(schema, value);
  return check.errors;
}
