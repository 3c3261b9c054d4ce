import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { numberKeywords } from "./number-keywords.ts";
import { asArray, asRecord } from "./raw.ts";
import type { Raw } from "./raw.ts";
import { findRef } from "./references.ts";

/** Whether a schema describes requests or responses. */
export type Direction = "input" | "output";

/** Whether the schema of a keyword applies to a part of the value, or to the same value. */
export type Position = "part" | "allOf" | "union";

export interface SchemaContext {
  readonly direction: Direction;
  /**
   * Whether the description is OpenAPI 3.0 or 2.0, in which `$ref` has no siblings and
   * `nullable` allows null.
   */
  readonly isLegacy: boolean;
  /** Returns the reference for the converted schema; `true` if it cannot be kept. */
  reference(ref: string, position: Position, isPart: boolean): JsonSchema;
  /** Resolves a reference; undefined if it has no target. */
  lookup(ref: string): unknown;
}

const MAX_DEPTH = 200;
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const COUNTS = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
]);
const TEXTS = new Set(["title", "description"]);
const PARTS = new Set([
  "additionalProperties",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const MAPS = new Set(["properties", "patternProperties"]);
/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have. */
const CONDITIONS = new Set(["if", "then", "else"]);

/**
 * Removes the slashes around a pattern, which some authors write as in a program. Flags cannot
 * be kept.
 */
function findPattern(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const [, inner, flags] = /^\/(\^.*|.*\$)\/([a-z]*)$/su.exec(given) ?? [];
  return flags?.includes("i") === true ? undefined : (inner ?? given);
}

function schemaTypes(type: unknown): string[] {
  return [type].flat().filter((item): item is string => TYPES.has(String(item)));
}

function widened(types: readonly string[]): string[] {
  return types.includes("number") ? [...types, "integer"] : [...types];
}

/** Whether a default matches its own schema. If not, the description is wrong. */
function isFitting(value: unknown, { type, enum: values }: Raw): boolean {
  if (Array.isArray(values) && !values.includes(value)) return false;
  return schemaTypes(type).some((each) => matchesType(each, value));
}

function matchesType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/**
 * Converts an OpenAPI schema to JSON Schema 2020-12. Parts that cannot be checked are omitted,
 * never guessed.
 */
export class SchemaConverter {
  readonly #context: SchemaContext;

  constructor(context: SchemaContext) {
    this.#context = context;
  }

  /**
   * `isPart` is true for one of several schemas for the same value. Such a schema cannot forbid
   * other members.
   */
  convert(schema: unknown, position: Position = "part", depth = 0, isPart = false): JsonSchema {
    if (typeof schema === "boolean") return schema;
    if (!isRecord(schema) || depth > MAX_DEPTH) return true;
    const ref = findRef(schema);
    if (ref === undefined) return this.#plain(schema, depth, isPart);
    const target = this.#context.reference(ref, position, isPart);
    return this.#referring(schema, target, depth);
  }

  /**
   * OpenAPI 3.0 ignores all keywords beside a reference. The description and `nullable` are
   * still kept.
   */
  #referring(schema: Raw, target: JsonSchema, depth: number): JsonSchema {
    const { $ref: _ref, nullable, ...beside } = schema;
    const isNullable = this.#context.isLegacy && nullable === true;
    const words = this.#context.isLegacy
      ? stringKeywords(beside)
      : (this.#plain(beside, depth, true) as Record<string, unknown>);
    const whole = isRecord(target) ? { ...target, ...words } : target;
    return isNullable ? { anyOf: [whole, { type: "null" }] } : whole;
  }

  #plain(schema: Raw, depth: number, isPart: boolean): JsonSchema {
    const converted: Raw = {};
    for (const [keyword, value] of Object.entries(schema)) {
      this.#keyword(converted, keyword, value, depth);
    }
    Object.assign(converted, numberKeywords(schema));
    this.#members(converted, schema);
    this.#types(converted, schema);
    this.#default(converted, schema);
    this.#reconcile(converted, schema);
    if (converted["if"] !== undefined) this.#leaveOpen(converted);
    // A base schema that forbids other members would refuse the properties that derived schemas
    // add.
    if (isPart || Array.isArray(schema["allOf"])) delete converted["additionalProperties"];
    return this.#union(converted, schema, depth);
  }

  #keyword(into: Raw, keyword: string, value: unknown, depth: number): void {
    if (MAPS.has(keyword)) into[keyword] = this.#map(value, depth);
    else if (PARTS.has(keyword)) into[keyword] = this.convert(value, "part", depth + 1);
    else if (keyword === "items") this.#items(into, value, depth);
    else if (keyword === "allOf" && Array.isArray(value)) {
      into["allOf"] = value.map((part) => this.convert(part, "allOf", depth + 1, true));
    } else if (keyword === "not") into["not"] = this.convert(value, "union", depth + 1);
    else if (COUNTS.has(keyword) && Number.isInteger(value) && (value as number) >= 0)
      into[keyword] = value;
    else if (TEXTS.has(keyword) && typeof value === "string") into[keyword] = value;
    else if (keyword === "uniqueItems" && value === true) into[keyword] = value;
    else if (keyword === "const") into[keyword] = value;
    else if (keyword === "pattern") this.#pattern(into, value);
    // Drops formats, because they are wrong too often to refuse a value.
    else if (keyword === "format") into["x-format"] = value;
    else if (!this.#context.isLegacy) this.#newerKeyword(into, keyword, value, depth);
  }

  /**
   * Allows members and items that the schema does not list. After an `if` that does not apply, the
   * checker no longer knows which of them were evaluated, so it would refuse valid values.
   */
  #leaveOpen(converted: Raw): void {
    delete converted["unevaluatedProperties"];
    delete converted["unevaluatedItems"];
  }

  /**
   * Without these keywords, `items` and `unevaluatedProperties` would refuse values that the
   * schema accepts.
   */
  #newerKeyword(into: Raw, keyword: string, value: unknown, depth: number): void {
    if (keyword === "prefixItems") this.#tuple(into, asArray(value), depth);
    else if (CONDITIONS.has(keyword)) {
      into[keyword] = this.convert(value, "union", depth + 1, keyword !== "if");
    } else if (keyword === "dependentSchemas") {
      const parts = Object.entries(asRecord(value)).map(
        ([name, part]) => [name, this.convert(part, "union", depth + 1, true)] as const,
      );
      into[keyword] = Object.fromEntries(parts);
    }
  }

  #tuple(into: Raw, items: readonly unknown[], depth: number): void {
    if (items.length === 0) return;
    into["prefixItems"] = items.map((item) => this.convert(item, "part", depth + 1));
  }

  /**
   * Defaults of inputs are dropped, because the upstream fills them in. In an output, a missing
   * member has its default.
   */
  #default(into: Raw, schema: Raw): void {
    if (!Object.hasOwn(schema, "default")) return;
    const value = schema["default"];
    const isFilled = this.#context.direction === "output" && isFitting(value, into);
    into[isFilled ? "default" : "x-default"] = value;
  }

  #pattern(into: Raw, value: unknown): void {
    const pattern = findPattern(value);
    if (pattern !== undefined) into["pattern"] = pattern;
  }

  #map(value: unknown, depth: number): Raw {
    const shown = Object.entries(asRecord(value)).filter(([, schema]) => !this.#isHidden(schema));
    return Object.fromEntries(
      shown.map(([name, schema]) => [name, this.convert(schema, "part", depth + 1)]),
    );
  }

  #items(into: Raw, value: unknown, depth: number): void {
    if (Array.isArray(value)) this.#tuple(into, value, depth);
    else into["items"] = this.convert(value, "part", depth + 1);
  }

  /** Read-only properties are not inputs, and write-only properties are not outputs. */
  #isHidden(schema: unknown): boolean {
    const mark = this.#context.direction === "input" ? "readOnly" : "writeOnly";
    if (!isRecord(schema)) return false;
    if (schema[mark] === true) return true;
    const ref = findRef(schema);
    const target = ref === undefined ? undefined : this.#context.lookup(ref);
    return isRecord(target) && target[mark] === true;
  }

  #members(into: Raw, schema: Raw): void {
    if (!Array.isArray(schema["required"])) return;
    const properties = asRecord(schema["properties"]);
    const isClosed = schema["additionalProperties"] === false && !("patternProperties" in schema);
    const isNeeded = (name: string): boolean => {
      if (Object.hasOwn(properties, name)) return !this.#isHidden(properties[name]);
      // Drops the names of properties that are required but neither declared nor allowed.
      return !isClosed && !this.#isHiddenInParts(schema, name);
    };
    const required = schema["required"].filter(
      (name): name is string => typeof name === "string" && isNeeded(name),
    );
    if (required.length > 0) into["required"] = [...new Set(required)];
  }

  #isHiddenInParts(schema: Raw, name: string): boolean {
    return asArray(schema["allOf"]).some((part) => {
      const ref = findRef(part);
      const target = ref === undefined ? part : this.#context.lookup(ref);
      const properties = isRecord(target) ? target["properties"] : undefined;
      return (
        isRecord(properties) && Object.hasOwn(properties, name) && this.#isHidden(properties[name])
      );
    });
  }

  /** If none of the types allows the listed values, the types are dropped. */
  #types(into: Raw, schema: Raw): void {
    const isNullable = this.#context.isLegacy && schema["nullable"] === true;
    const types = schemaTypes(schema["type"] === "file" ? "string" : schema["type"]);
    const values = asArray(schema["enum"]);
    if (values.length > 0) {
      into["enum"] = isNullable && !values.includes(null) ? [...values, null] : values;
    }
    const isPossible =
      values.length === 0 || values.some((value) => types.some((type) => matchesType(type, value)));
    if (types.length === 0 || !isPossible) return;
    if (isNullable && !types.includes("null")) types.push("null");
    into["type"] = types.length === 1 ? types[0] : types;
  }

  /**
   * Parts that exclude each other, such as string and number, were probably meant as
   * alternatives.
   */
  #reconcile(converted: Raw, schema: Raw): void {
    const parts = asArray(schema["allOf"]).map((part) => {
      const ref = findRef(part);
      return ref === undefined ? part : this.#context.lookup(ref);
    });
    const all = [schema, ...parts].map((part) => schemaTypes(asRecord(part)["type"]));
    const stated = all.filter((types) => types.length > 0).map(widened);
    const [first = [], ...others] = stated;
    const isPossible = first.some((type) => others.every((types) => types.includes(type)));
    if (stated.length < 2 || isPossible) return;
    converted["anyOf"] = converted["allOf"];
    delete converted["allOf"];
    delete converted["type"];
  }

  /**
   * Converts every union to an `anyOf`, because alternatives often overlap, and `oneOf` would
   * refuse a value that matches two.
   */
  #union(converted: Raw, schema: Raw, depth: number): JsonSchema {
    const forms = [schema["oneOf"], schema["anyOf"]].map((list) =>
      asArray(list).map((form) =>
        this.#tagged(form, this.convert(form, "union", depth + 1), schema["discriminator"]),
      ),
    );
    const unions = forms.filter((list) => list.length > 0);
    if (unions.length === 1) converted["anyOf"] = unions[0];
    else if (unions.length === 2) {
      const both = unions.map((anyOf) => ({ anyOf }));
      converted["allOf"] = [...((converted["allOf"] as unknown[] | undefined) ?? []), ...both];
    }
    const isNullable = this.#context.isLegacy && schema["nullable"] === true;
    const isCombined = unions.length > 0 || converted["allOf"] !== undefined;
    return isNullable && isCombined && converted["type"] === undefined
      ? { anyOf: [converted, { type: "null" }] }
      : converted;
  }

  /** Adds the discriminator value of an alternative, if the mapping names it. */
  #tagged(form: unknown, converted: JsonSchema, discriminator: unknown): JsonSchema {
    const ref = findRef(form);
    if (!isRecord(discriminator) || ref === undefined || !isRecord(converted)) return converted;
    const { propertyName, mapping } = discriminator;
    if (typeof propertyName !== "string" || !isRecord(mapping)) return converted;
    const names = Object.keys(mapping).filter(
      (name) => mapping[name] === ref || ref.endsWith(`/${String(mapping[name])}`),
    );
    if (names.length === 0) return converted;
    return { ...converted, properties: { [propertyName]: { enum: names } } };
  }
}

function stringKeywords(schema: Raw): Raw {
  return Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => TEXTS.has(key) && typeof value === "string"),
  );
}
