import type { Change, JsonSchema } from "../envelope/index.ts";
import {
  exactDigits,
  isLargeInteger,
  isRecord,
  parseExactJson,
  setOwn,
} from "../envelope/index.ts";
import { renewCheckBudget } from "../pattern/index.ts";
import { undeclaredNames } from "./declared.ts";
import { bestForm } from "./match-form.ts";
import { matchesPattern } from "./patterns.ts";
import { besideRef, isSchema, pointerKey, resolveRef } from "./pointer.ts";
import { itemsIn } from "./read-list.ts";
import { acceptsType, listIn, recordOrEmpty, unionForms } from "./types.ts";

/** Options of normalise. */
export interface NormaliseOptions {
  /**
   * Which undeclared members are removed: only those where the schema allows no others, all, or
   * none (default: `none`).
   */
  readonly strip?: "closed" | "all" | "none";
  /** Fills in declared defaults (default: false). */
  readonly defaults?: boolean;
  /**
   * Decodes JSON strings if the schema accepts the decoded value and not the string (default:
   * false).
   */
  readonly decode?: boolean;
  /**
   * With `decode`: where the schema requires a list, reads a single value, or words between
   * commas, as a list (default: false).
   */
  readonly lists?: boolean;
  /**
   * How to convert a string of digits that is too large for a number, where the schema requires
   * an integer: to the nearest number, for validation, or to digits that are written as a number
   * (default: the string stays).
   */
  readonly digits?: "number" | "written";
  /**
   * With `decode`: leaves integers that are too large for a number as strings, because they are
   * sent exactly (default: false).
   */
  readonly keepDigits?: boolean;
}

/** A normalised value, and the changes that were made. */
export interface Normalised {
  /** The value after the changes. */
  readonly value: unknown;
  /** Every change that was made. */
  readonly changes: readonly Change[];
}

const MAX_DEPTH = 100;
/** The maximum number of visits, for schemas that refer to the same part again and again. */
const MAX_VISITS = 1_000_000;
const MAX_DECODED_LENGTH = 10_000_000;
const MAX_CHANGES = 1_000;
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PARTS: readonly JsonSchema[] = [];

function isDeclared(schema: Record<string, unknown>, name: string): boolean {
  if (Object.hasOwn(recordOrEmpty(schema["properties"]), name)) return true;
  const patterns = Object.keys(recordOrEmpty(schema["patternProperties"]));
  return patterns.some((pattern) => matchesPattern(pattern, name));
}

/**
 * The schema of one member: its own, otherwise that of a matching pattern, otherwise the one for
 * all others.
 */
function memberSchema(schema: Record<string, unknown>, name: string): unknown {
  const properties = recordOrEmpty(schema["properties"]);
  if (Object.hasOwn(properties, name)) return properties[name];
  const patterns = recordOrEmpty(schema["patternProperties"]);
  const pattern = Object.keys(patterns).find((key) => matchesPattern(key, name));
  return pattern === undefined ? schema["additionalProperties"] : patterns[pattern];
}

/** Keeps the text of a number that has more digits than a double can hold. */
function isExact(decoded: unknown): boolean {
  return typeof decoded !== "number" || Math.abs(decoded) <= Number.MAX_SAFE_INTEGER;
}

/** The subschemas of a schema. */
function subschemas(schema: JsonSchema, resolved: Record<string, unknown>): readonly JsonSchema[] {
  const beside = besideRef(schema);
  if (beside === undefined && resolved["allOf"] === undefined) return NO_PARTS;
  const parts = listIn(resolved["allOf"]).filter(isSchema);
  return beside === undefined ? parts : [...parts, beside];
}

/**
 * One pass over a value. Unchanged parts are not copied, and the input is never modified. Paths
 * are written only for changes, because a large answer has a million values.
 */
class Normaliser {
  readonly changes: Change[] = [];
  readonly #root: JsonSchema;
  readonly #options: NormaliseOptions;
  readonly #keys: (string | number)[] = [];
  #visits = 0;

  constructor(root: JsonSchema, options: NormaliseOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** A part of an `allOf` does not know what the other parts declare, so it removes nothing. */
  walk(schema: JsonSchema, value: unknown, depth: number, isPart = false): unknown {
    if (!this.#mayChange(value)) return value;
    this.#visits += 1;
    if (depth > MAX_DEPTH || this.#visits > MAX_VISITS) return value;
    const resolved = resolveRef(this.#root, schema);
    if (!isRecord(resolved)) return value;
    let current = this.#decode(resolved, value);
    for (const part of subschemas(schema, resolved)) {
      current = this.walk(part, current, depth + 1, true);
    }
    const form = bestForm(this.#root, unionForms(resolved), current);
    if (form !== undefined) current = this.walk(form, current, depth + 1, true);
    if (Array.isArray(current)) return this.#walkItems(resolved, current, depth);
    if (!isRecord(current)) return current;
    const stripped = this.#strip(this.#toStrip(resolved, current, schema, isPart), current);
    const walked = this.#walkDeclared(resolved, stripped, depth);
    return this.#options.defaults === true ? this.#fill(resolved, walked) : walked;
  }

  /** Whether a value may change. Only objects, lists and some strings can. */
  #mayChange(value: unknown): boolean {
    if (typeof value !== "string") return typeof value === "object" && value !== null;
    const { decode, digits } = this.#options;
    return decode === true || (digits !== undefined && isLargeInteger(value));
  }

  #note(edit: Change["edit"], ...inner: string[]): void {
    if (this.changes.length >= MAX_CHANGES) return;
    this.changes.push({ path: [...this.#keys, ...inner].map(pointerKey).join(""), edit });
  }

  #walkMember(schema: JsonSchema, value: unknown, key: string | number, depth: number): unknown {
    this.#keys.push(key);
    const walked = this.walk(schema, value, depth + 1);
    this.#keys.pop();
    return walked;
  }

  #decode(schema: Record<string, unknown>, value: unknown): unknown {
    if (typeof value !== "string") return value;
    if (this.#options.digits !== undefined && this.#isInteger(schema, value)) {
      this.#note("exact");
      return this.#options.digits === "number" ? Number(value) : exactDigits(value);
    }
    if (this.#options.decode !== true) return value;
    if (value.length > MAX_DECODED_LENGTH || !this.#wantsOtherThanText(schema, value)) return value;
    const read = this.#fromJson(schema, value) ?? this.#fromList(schema, value);
    if (read === undefined) return value;
    this.#note("decoded");
    return read.value;
  }

  #isInteger(schema: Record<string, unknown>, text: string): boolean {
    if (!isLargeInteger(text) || !this.#wantsOtherThanText(schema, text)) return false;
    return this.#takes(schema, Number(text));
  }

  #fromJson(schema: Record<string, unknown>, text: string): { value: unknown } | undefined {
    try {
      const { value: exact, integers } = parseExactJson(text);
      const isLarge = integers.includes("");
      if (isLarge && this.#options.keepDigits === true) return undefined;
      const value = isLarge ? Number(text) : exact;
      if (typeof value === "string") return undefined;
      // If the schema accepts any number, the nearest number is good enough.
      if (!isExact(value) && !this.#takes(schema, 0.5)) return undefined;
      return this.#takes(schema, value) ? { value } : undefined;
    } catch {
      return undefined;
    }
  }

  #fromList(schema: Record<string, unknown>, text: string): { value: unknown } | undefined {
    if (this.#options.lists !== true) return undefined;
    const { items } = schema;
    const value = itemsIn(text, isSchema(items) ? resolveRef(this.#root, items) : undefined);
    return value !== undefined && this.#takes(schema, value) ? { value } : undefined;
  }

  #wantsOtherThanText(schema: Record<string, unknown>, value: string): boolean {
    const forms = unionForms(schema);
    if (!acceptsType(schema, value)) return true;
    return forms.length > 0 && bestForm(this.#root, forms, value) === undefined;
  }

  #takes(schema: Record<string, unknown>, value: unknown): boolean {
    const forms = unionForms(schema);
    return (
      acceptsType(schema, value) &&
      (forms.length === 0 || bestForm(this.#root, forms, value) !== undefined)
    );
  }

  #walkItems(
    schema: Record<string, unknown>,
    value: readonly unknown[],
    depth: number,
  ): readonly unknown[] {
    const prefix = listIn(schema["prefixItems"]);
    const rest = schema["items"];
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const itemSchema = index < prefix.length ? prefix[index] : rest;
      if (!isSchema(itemSchema)) continue;
      const item = this.#walkMember(itemSchema, value[index], index, depth);
      if (item !== value[index]) (copy ??= [...value])[index] = item;
    }
    return copy ?? value;
  }

  #toStrip(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    whole: JsonSchema,
    isPart: boolean,
  ): ReadonlySet<string> {
    const { strip = "none" } = this.#options;
    if (strip === "none") return NO_NAMES;
    const isClosed = schema["additionalProperties"] === false;
    const refused = isClosed ? Object.keys(value).filter((name) => !isDeclared(schema, name)) : [];
    if (strip === "closed" || isPart) return new Set(refused);
    return new Set([...refused, ...undeclaredNames(this.#root, whole, value)]);
  }

  #strip(names: ReadonlySet<string>, value: Record<string, unknown>): Record<string, unknown> {
    if (names.size === 0) return value;
    const kept: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (names.has(name)) this.#note("stripped", name);
      else setOwn(kept, name, value[name]);
    }
    return kept;
  }

  #walkDeclared(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    depth: number,
  ): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const member = memberSchema(schema, name);
      if (!isSchema(member)) continue;
      const walked = this.#walkMember(member, value[name], name, depth);
      if (walked !== value[name]) setOwn((copy ??= { ...value }), name, walked);
    }
    return copy ?? value;
  }

  #fill(schema: Record<string, unknown>, value: Record<string, unknown>): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const [name, property] of Object.entries(recordOrEmpty(schema["properties"]))) {
      if (Object.hasOwn(value, name) || !isSchema(property)) continue;
      const declared = isRecord(property) ? property : {};
      const resolved = Object.hasOwn(declared, "default")
        ? declared
        : recordOrEmpty(resolveRef(this.#root, property));
      if (!Object.hasOwn(resolved, "default")) continue;
      setOwn((copy ??= { ...value }), name, structuredClone(resolved["default"]));
      this.#note("defaulted", name);
    }
    return copy ?? value;
  }
}

/**
 * Cleans a value by its schema and lists every change. Only declared defaults are filled in;
 * required values are never invented.
 */
export function normalise(
  schema: JsonSchema,
  value: unknown,
  options: NormaliseOptions,
): Normalised {
  renewCheckBudget();
  const normaliser = new Normaliser(schema, options);
  return { value: normaliser.walk(schema, value, 0), changes: normaliser.changes };
}
