import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOrEmpty, declaredTypes, unionForms } from "./types.ts";

/** Options of describeInputs. */
export interface DescribeOptions {
  /** Levels of nested objects to write out (default: 2). */
  readonly depth?: number;
  /** Number of allowed values to write out (default: 12). */
  readonly maxValues?: number;
  /** Whether nested objects show only their required members (default: false). */
  readonly requiredOnly?: boolean;
}

const DEFAULT_DEPTH = 2;
const DEFAULT_MAX_VALUES = 12;
const MAX_FORMS = 6;
const MAX_MEMBERS = 40;
/**
 * The maximum number of schemas in one description, because nested unions could go on without
 * end.
 */
const MAX_VISITS = 2_000;

/** Writes schemas as short text: `{id, title?:string, state:open|closed}`. */
class Describer {
  readonly #root: JsonSchema;
  readonly #maxValues: number;
  readonly #isRequiredOnly: boolean;
  /** The schemas that are being described, each with the depth at which it began. */
  readonly #open = new Map<object, number>();
  #visits = 0;

  constructor(root: JsonSchema, options: DescribeOptions) {
    this.#root = root;
    this.#maxValues = options.maxValues ?? DEFAULT_MAX_VALUES;
    this.#isRequiredOnly = options.requiredOnly ?? false;
  }

  type(schema: unknown, depth: number): string {
    const resolved = isSchema(schema) ? resolveRef(this.#root, schema) : undefined;
    if (!isRecord(resolved)) return "any";
    const outer = this.#open.get(resolved);
    this.#visits += 1;
    // A list or union of itself would be written out without end.
    if (outer === depth || this.#visits > MAX_VISITS) return "…";
    this.#open.set(resolved, depth);
    const type = this.#resolvedType(resolved, depth);
    if (outer === undefined) this.#open.delete(resolved);
    else this.#open.set(resolved, outer);
    return type;
  }

  #resolvedType(resolved: Record<string, unknown>, depth: number): string {
    if (Object.hasOwn(resolved, "const")) return literal(resolved["const"]);
    if (Array.isArray(resolved["enum"])) return this.#values(resolved["enum"]);
    const forms = unionForms(resolved);
    if (forms.length > 0) return this.#forms(forms, depth);
    return this.#plainType(this.#merged(resolved), depth);
  }

  /** Merges the members of all parts of a schema. */
  whole(schema: unknown): Record<string, unknown> {
    return this.#merged(isSchema(schema) ? recordOrEmpty(resolveRef(this.#root, schema)) : {});
  }

  members(schema: unknown, depth: number): string[] {
    const merged = this.whole(schema);
    const required = new Set(listIn(merged["required"]));
    const all = Object.keys(recordOrEmpty(merged["properties"]));
    const wanted = this.#isRequiredOnly ? all.filter((name) => required.has(name)) : all;
    const shown = wanted.slice(0, MAX_MEMBERS).map((name) => {
      const member = recordOrEmpty(merged["properties"])[name];
      return this.#member(name, member, required.has(name), depth);
    });
    return wanted.length < all.length ? [...shown, "…"] : shown;
  }

  /**
   * A name with its type. Inside objects, the type `string` is omitted, because most members are
   * strings.
   */
  #member(name: string, schema: unknown, isRequired: boolean, depth: number): string {
    const type = this.type(schema, depth - 1);
    const mark = isRequired ? "" : "?";
    return type === "string" || type === "any" ? name + mark : `${name}${mark}:${type}`;
  }

  #values(values: readonly unknown[]): string {
    const shown = values.slice(0, this.#maxValues).map(literal);
    return shown.join("|") + (values.length > shown.length ? "|…" : "");
  }

  #forms(forms: readonly unknown[], depth: number): string {
    const types = [...new Set(forms.map((form) => this.type(form, depth)))];
    const shown = types.slice(0, MAX_FORMS);
    return shown.join("|") + (types.length > shown.length ? "|…" : "");
  }

  #plainType(schema: Record<string, unknown>, depth: number): string {
    const types = declaredTypes(schema);
    if (types.length === 0 && isRecord(schema["properties"])) return this.#object(schema, depth);
    if (types.length === 0) return "any";
    return types.map((type) => this.#oneType(type, schema, depth)).join("|");
  }

  #oneType(type: string, schema: Record<string, unknown>, depth: number): string {
    if (type === "array") return `${wrapped(this.type(schema["items"], depth))}[]`;
    if (type === "object") return this.#object(schema, depth);
    if (type === "integer" || type === "number") return range(type, schema);
    return type;
  }

  #object(schema: Record<string, unknown>, depth: number): string {
    const names = Object.keys(recordOrEmpty(schema["properties"]));
    if (names.length > 0) return depth > 0 ? `{${this.members(schema, depth).join(", ")}}` : "{…}";
    const others = schema["additionalProperties"];
    return isRecord(others) && depth > 0 ? `{[name]: ${this.type(others, depth - 1)}}` : "object";
  }

  /** Merges all parts of an `allOf` into one object. */
  #merged(schema: Record<string, unknown>, hops = 0): Record<string, unknown> {
    const parts = listIn(schema["allOf"]);
    this.#visits += 1;
    if (parts.length === 0 || hops > 8 || this.#visits > MAX_VISITS) return schema;
    const merged: Record<string, unknown> = { ...schema, allOf: undefined };
    for (const part of parts) {
      const resolved = isSchema(part) ? recordOrEmpty(resolveRef(this.#root, part)) : {};
      const flat = this.#merged(resolved, hops + 1);
      merged["type"] ??= flat["type"];
      merged["properties"] = {
        ...recordOrEmpty(flat["properties"]),
        ...recordOrEmpty(merged["properties"]),
      };
      merged["required"] = [...listIn(merged["required"]), ...listIn(flat["required"])];
    }
    return merged;
  }
}

function literal(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Puts a union in parentheses before `[]`. Text in braces needs none. */
function wrapped(type: string): string {
  let depth = 0;
  for (const character of type) {
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === "|" && depth === 0) return `(${type})`;
  }
  return type;
}

function range(type: string, schema: Record<string, unknown>): string {
  const low = schema["minimum"];
  const high = schema["maximum"];
  const isBounded = typeof low === "number" && typeof high === "number";
  return isBounded && high < Number.MAX_SAFE_INTEGER ? `${low}..${high}` : type;
}

function describer(schema: JsonSchema, options: DescribeOptions): Describer {
  return new Describer(schema, options);
}

/** The inputs of an operation as text, for an agent. */
export interface DescribedInputs {
  /** Written as `name:type`. */
  readonly required: string[];
  /** Written as `name:type`, with `=default` if one is declared. */
  readonly optional: string[];
}

/** `x-default` is the upstream's own default. Waybill does not send it. */
function withDefault(text: string, schema: unknown): string {
  const declared = recordOrEmpty(schema);
  const keyword = ["default", "x-default"].find((name) => Object.hasOwn(declared, name));
  return keyword === undefined ? text : `${text}=${literal(declared[keyword])}`;
}

/** An operation's inputs, with types, allowed values and defaults. */
export function describeInputs(schema: JsonSchema, options: DescribeOptions = {}): DescribedInputs {
  const describe = describer(schema, options);
  const depth = options.depth ?? DEFAULT_DEPTH;
  const whole = describe.whole(schema);
  const required = new Set(listIn(whole["required"]));
  const inputs: DescribedInputs = { required: [], optional: [] };
  for (const [name, property] of Object.entries(recordOrEmpty(whole["properties"]))) {
    const text = `${name}:${describe.type(property, depth)}`;
    if (required.has(name)) inputs.required.push(text);
    else inputs.optional.push(withDefault(text, property));
  }
  return inputs;
}

/** An operation's output fields. Lists show the form of their items. */
export function describeFields(schema: JsonSchema, options: DescribeOptions = {}): string[] {
  const describe = describer(schema, options);
  const depth = options.depth ?? DEFAULT_DEPTH;
  const fields = describe.members(schema, depth);
  if (fields.length > 0) return fields;
  const type = describe.type(schema, depth);
  return type === "any" ? [] : [type];
}
