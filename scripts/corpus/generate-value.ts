import { isRecord, loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { FORMATS, matchingText } from "./generate-text.ts";

type Schema = Record<string, unknown>;

/** Thrown if a schema is endless, or if no value matches it. */
class Impossible extends Error {}

const MAX_DEPTH = 14;
const WORDS = ["alpha", "beta gamma", "d/e?f", "grün&co", "x=1"];
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  minimum: ["minimum", "exclusiveMinimum"],
  maximum: ["maximum", "exclusiveMaximum"],
};

function asValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function record(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

/** A small random generator that gives the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Generates values that match a schema, independently of the code under test. */
class Generator {
  readonly #root: Schema;
  readonly #random: () => number;
  /** Whether optional members are included. */
  readonly #isRich: boolean;

  constructor(root: Schema, random: () => number, isRich: boolean) {
    this.#root = root;
    this.#random = random;
    this.#isRich = isRich;
  }

  value(given: unknown, depth = 0): unknown {
    if (given === false || depth > MAX_DEPTH) throw new Impossible();
    const schema = this.#flat(given, 0);
    if (Object.hasOwn(schema, "const")) return schema["const"];
    const values = asValues(schema["enum"]);
    if (values.length > 0)
      return this.#choice(
        values.filter((value) => value !== null),
        values[0],
      );
    const forms = asValues(schema["anyOf"]);
    return forms.length > 0 ? this.#form(schema, forms, depth) : this.#typed(schema, depth);
  }

  #choice(values: readonly unknown[], usual: unknown): unknown {
    return values.length === 0 ? usual : values[Math.floor(this.#random() * values.length)];
  }

  /** The first alternative that can be generated, combined with the rest of the schema. */
  #form(schema: Schema, forms: readonly unknown[], depth: number): unknown {
    const { anyOf: _forms, ...beside } = schema;
    for (const form of forms) {
      try {
        return this.value(this.#merged(beside, this.#flat(form, 0)), depth + 1);
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    throw new Impossible();
  }

  /** A schema with its references and `allOf` parts merged in. */
  #flat(given: unknown, hops: number): Schema {
    if (hops > 20) throw new Impossible();
    let schema = record(given);
    const { $ref, ...beside } = schema;
    if (typeof $ref === "string") {
      schema = this.#merged(this.#flat(this.#target($ref), hops + 1), beside);
    }
    const { allOf, ...own } = schema;
    return asValues(allOf).reduce<Schema>(
      (whole, part) => this.#merged(whole, this.#flat(part, hops + 1)),
      own,
    );
  }

  #target(ref: string): unknown {
    const key = decodeURIComponent(ref.slice("#/$defs/".length));
    return record(this.#root["$defs"])[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }

  #merged(left: Schema, right: Schema): Schema {
    const both: Schema = { ...left, ...right };
    const properties = { ...record(left["properties"]), ...record(right["properties"]) };
    if (Object.keys(properties).length > 0) both["properties"] = properties;
    const required = [...asValues(left["required"]), ...asValues(right["required"])];
    if (required.length > 0) both["required"] = [...new Set(required)];
    const unions = [left["anyOf"], right["anyOf"]].filter((union) => union !== undefined);
    if (unions.length === 2) both["anyOf"] = asValues(unions[1]);
    for (const keyword of ["maximum", "maxLength", "maxItems"])
      narrow(both, left, right, keyword, Math.min);
    for (const keyword of ["minimum", "minLength", "minItems"])
      narrow(both, left, right, keyword, Math.max);
    return both;
  }

  #typed(schema: Schema, depth: number): unknown {
    const types = [schema["type"]].flat().filter((type) => type !== "null");
    const type = types[0] ?? guessed(schema);
    switch (type) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "integer":
        return this.#number(schema, "integer");
      case "number":
        return this.#number(schema, "number");
      case "boolean":
        return this.#random() < 0.5;
      case undefined:
        return schema["type"] === "null" ? null : this.#text(schema);
      default:
        return this.#text(schema);
    }
  }

  #object(schema: Schema, depth: number): Schema {
    const properties = record(schema["properties"]);
    const required = asValues(schema["required"]).map(String);
    const made: Schema = {};
    const put = (name: string, value: unknown): void => {
      Object.defineProperty(made, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    };
    for (const name of required) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : this.#other(schema);
      put(name, this.value(inner, depth + 1));
    }
    const isWanted = this.#isRich && depth < 3;
    for (const name of Object.keys(properties)) {
      const isShort = Object.keys(made).length < Number(schema["minProperties"] ?? 0);
      if (Object.hasOwn(made, name) || !(isShort || (isWanted && this.#random() < 0.6))) continue;
      try {
        put(name, this.value(properties[name], depth + 1));
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    for (let extra = 0; Object.keys(made).length < Number(schema["minProperties"] ?? 0); extra++) {
      if (extra > 20) throw new Impossible();
      put(`extra${extra}`, this.value(this.#other(schema), depth + 1));
    }
    return made;
  }

  #other(schema: Schema): unknown {
    const others = schema["additionalProperties"];
    return isRecord(others) ? others : { type: "string" };
  }

  #array(schema: Schema, depth: number): unknown[] {
    const least = Number(schema["minItems"] ?? 0);
    const most = Number(schema["maxItems"] ?? Infinity);
    const wanted = Math.min(most, Math.max(least, this.#isRich && depth < 4 ? 2 : least));
    if (wanted > 200) throw new Impossible();
    const items: unknown[] = [];
    for (let index = 0; items.length < wanted && index < wanted + 10; index++) {
      try {
        const made = this.value(schema["items"] ?? { type: "string" }, depth + 1);
        const item =
          typeof made === "number" && schema["uniqueItems"] === true ? made + index : made;
        const isTwice = items.some((other) => JSON.stringify(other) === JSON.stringify(item));
        if (schema["uniqueItems"] !== true || !isTwice) items.push(item);
      } catch (error) {
        if (!(error instanceof Impossible) || least > 0) throw error;
        break;
      }
    }
    if (items.length < least) throw new Impossible();
    return items;
  }

  #number(schema: Schema, type: string): number {
    const step = Number(schema["multipleOf"] ?? (type === "integer" ? 1 : 0.5));
    const low = bound(schema, "minimum", -Infinity);
    const high = bound(schema, "maximum", Infinity);
    const from = low === -Infinity ? Math.min(1, high) : low;
    const candidates = [
      from,
      Math.ceil(from / step) * step,
      from + step,
      Math.ceil(from / step + 1) * step,
    ];
    const found = candidates.find((value) => fitsNumber(schema, value, type, low, high));
    if (found !== undefined) return found;
    const middle = (low + high) / 2;
    if (fitsNumber(schema, middle, type, low, high)) return middle;
    throw new Impossible();
  }

  #matching(pattern: string, least: number, most: number): string {
    const text = matchingText(pattern, least, most);
    if (text === undefined) throw new Impossible();
    return text;
  }

  #text(schema: Schema): string {
    const least = Number(schema["minLength"] ?? 0);
    const most = Number(schema["maxLength"] ?? Infinity);
    if (typeof schema["pattern"] === "string")
      return this.#matching(schema["pattern"], least, most);
    const word = WORDS[Math.floor(this.#random() * WORDS.length)]!;
    const known = FORMATS[String(schema["x-format"])] ?? word;
    return known.padEnd(least, "x").slice(0, most);
  }
}

function guessed(schema: Schema): string | undefined {
  if (schema["properties"] !== undefined || schema["required"] !== undefined) return "object";
  if (schema["items"] !== undefined) return "array";
  return ["minimum", "maximum"].some((keyword) => keyword in schema) ? "number" : undefined;
}

function narrow(
  into: Schema,
  left: Schema,
  right: Schema,
  keyword: string,
  pick: (...values: number[]) => number,
): void {
  const bounds = [left[keyword], right[keyword]].filter(
    (each): each is number => typeof each === "number",
  );
  if (bounds.length === 2) into[keyword] = pick(...bounds);
}

function bound(schema: Schema, kind: string, usual: number): number {
  const found = NUMBERS[kind]!.map((keyword) => schema[keyword]).filter(
    (value): value is number => typeof value === "number",
  );
  if (found.length === 0) return usual;
  return kind === "minimum" ? Math.max(...found) : Math.min(...found);
}

function fitsNumber(
  schema: Schema,
  value: number,
  type: string,
  low: number,
  high: number,
): boolean {
  const step = schema["multipleOf"];
  return (
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== schema["exclusiveMinimum"] &&
    value !== schema["exclusiveMaximum"] &&
    (type !== "integer" || Number.isInteger(value)) &&
    (typeof step !== "number" || Number.isInteger(value / step))
  );
}

export interface Generated {
  readonly value: unknown;
  /** Whether the schema checker accepts the value. */
  readonly isValid: boolean;
}

/** A value for a schema: with optional members if possible, otherwise only with required ones. */
export async function generate(schema: JsonSchema, seed: number): Promise<Generated> {
  const checker = await loadChecker(schema);
  const compiled = checker.compile(schema, { interpreted: true });
  const root = record(schema);
  for (const isRich of [true, false]) {
    try {
      const value = new Generator(root, seeded(seed), isRich).value(schema);
      if (compiled.check(value)) return { value, isValid: true };
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
    }
  }
  return { value: undefined, isValid: false };
}
