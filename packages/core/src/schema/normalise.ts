import type { Change, JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { undeclaredNames } from "./declared.ts";
import { bestForm } from "./match-form.ts";
import { isSchema, pointerKey, resolveRef } from "./pointer.ts";
import { acceptsType, listIn, recordOf, typesOf, unionOf } from "./types.ts";

export interface NormaliseOptions {
  /** Take away undeclared members: where a schema closes its object, everywhere, or nowhere. */
  readonly strip?: "closed" | "all" | "none";
  /** Fill in declared defaults. */
  readonly defaults?: boolean;
  /** Read JSON that came as text, where the schema takes what the text says and not the text. */
  readonly decode?: boolean;
}

export interface Normalised {
  readonly value: unknown;
  readonly changes: readonly Change[];
}

const MAX_DEPTH = 100;
const MAX_DECODED_LENGTH = 10_000_000;
const MAX_CHANGES = 1_000;

/** One pass over a value. What needs no edit is not copied; the input is never written to. */
class Normaliser {
  readonly changes: Change[] = [];
  readonly #root: JsonSchema;
  readonly #options: NormaliseOptions;

  constructor(root: JsonSchema, options: NormaliseOptions) {
    this.#root = root;
    this.#options = options;
  }

  walk(schema: JsonSchema, value: unknown, path: string, depth: number): unknown {
    const resolved = resolveRef(this.#root, schema);
    if (!isRecord(resolved) || depth > MAX_DEPTH) return value;
    let current = this.#decode(resolved, value, path);
    for (const part of listIn(resolved["allOf"])) {
      if (isSchema(part)) current = this.walk(part, current, path, depth + 1);
    }
    const form = bestForm(this.#root, unionOf(resolved), current);
    if (form !== undefined) current = this.walk(form, current, path, depth + 1);
    if (Array.isArray(current)) return this.#walkItems(resolved, current, path, depth);
    return isRecord(current) ? this.#walkMembers(resolved, current, path, depth) : current;
  }

  #note(path: string, edit: Change["edit"]): void {
    if (this.changes.length < MAX_CHANGES) this.changes.push({ path, edit });
  }

  #decode(schema: Record<string, unknown>, value: unknown, path: string): unknown {
    if (this.#options.decode !== true || typeof value !== "string") return value;
    if (value.length > MAX_DECODED_LENGTH || !this.#wantsOtherThanText(schema, value)) return value;
    try {
      const decoded: unknown = JSON.parse(value);
      if (typeof decoded === "string" || !this.#takes(schema, decoded)) return value;
      this.#note(path, "decoded");
      return decoded;
    } catch {
      return value;
    }
  }

  #wantsOtherThanText(schema: Record<string, unknown>, value: string): boolean {
    const forms = unionOf(schema);
    if (forms.length > 0) return bestForm(this.#root, forms, value) === undefined;
    return typesOf(schema).length > 0 && !acceptsType(schema, value);
  }

  #takes(schema: Record<string, unknown>, value: unknown): boolean {
    const forms = unionOf(schema);
    return (
      acceptsType(schema, value) &&
      (forms.length === 0 || bestForm(this.#root, forms, value) !== undefined)
    );
  }

  #walkItems(
    schema: Record<string, unknown>,
    value: readonly unknown[],
    path: string,
    depth: number,
  ): readonly unknown[] {
    const prefix = listIn(schema["prefixItems"]);
    const rest = schema["items"];
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const itemSchema = index < prefix.length ? prefix[index] : rest;
      if (!isSchema(itemSchema)) continue;
      const item = this.walk(itemSchema, value[index], path + pointerKey(index), depth + 1);
      if (item !== value[index]) (copy ??= [...value])[index] = item;
    }
    return copy ?? value;
  }

  #walkMembers(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    path: string,
    depth: number,
  ): Record<string, unknown> {
    const stripped = this.#strip(schema, value, path);
    const walked = this.#walkDeclared(schema, stripped, path, depth);
    return this.#options.defaults === true ? this.#fill(schema, walked, path) : walked;
  }

  #toStrip(schema: Record<string, unknown>, value: Record<string, unknown>): string[] {
    if (this.#options.strip === "all") return undeclaredNames(this.#root, schema, value);
    if (this.#options.strip !== "closed" || schema["additionalProperties"] !== false) return [];
    const properties = recordOf(schema["properties"]);
    const patterns = Object.keys(recordOf(schema["patternProperties"]));
    return Object.keys(value).filter(
      (name) =>
        !Object.hasOwn(properties, name) &&
        !patterns.some((pattern) => new RegExp(pattern, "u").test(name)),
    );
  }

  #strip(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    path: string,
  ): Record<string, unknown> {
    const names = new Set(this.#toStrip(schema, value));
    if (names.size === 0) return value;
    const kept: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (names.has(name)) this.#note(path + pointerKey(name), "stripped");
      else setOwn(kept, name, value[name]);
    }
    return kept;
  }

  #walkDeclared(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    path: string,
    depth: number,
  ): Record<string, unknown> {
    const properties = recordOf(schema["properties"]);
    const others = schema["additionalProperties"];
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const member = Object.hasOwn(properties, name) ? properties[name] : others;
      if (!isSchema(member)) continue;
      const walked = this.walk(member, value[name], path + pointerKey(name), depth + 1);
      if (walked !== value[name]) setOwn((copy ??= { ...value }), name, walked);
    }
    return copy ?? value;
  }

  #fill(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    path: string,
  ): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined;
    for (const [name, property] of Object.entries(recordOf(schema["properties"]))) {
      if (Object.hasOwn(value, name) || !isSchema(property)) continue;
      const declared = isRecord(property) ? property : {};
      const resolved = Object.hasOwn(declared, "default")
        ? declared
        : recordOf(resolveRef(this.#root, property));
      if (!Object.hasOwn(resolved, "default")) continue;
      setOwn((copy ??= { ...value }), name, structuredClone(resolved["default"]));
      this.#note(path + pointerKey(name), "defaulted");
    }
    return copy ?? value;
  }
}

/**
 * Cleans a value by its schema and lists every edit. Nothing required is ever made up: only
 * declared defaults are filled in.
 */
export function normalise(
  schema: JsonSchema,
  value: unknown,
  options: NormaliseOptions,
): Normalised {
  const normaliser = new Normaliser(schema, options);
  return { value: normaliser.walk(schema, value, "", 0), changes: normaliser.changes };
}
