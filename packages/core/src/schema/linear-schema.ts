import type { JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { CheckBudgetError, spendCheckBudget } from "../pattern/index.ts";
import type { Pattern } from "../pattern/index.ts";
import { reachableSchemas, schemasThatReach } from "./traits.ts";
import { recordOrEmpty } from "./types.ts";

type Patterns = ReadonlyMap<string, Pattern>;
type SchemaObject = Record<string, unknown>;
/** Returns the key of `patternProperties` that replaces a pattern in the engine's schema. */
type NameKey = (source: string) => string;

const MAX_NAMES = 100_000;

/** An object that looks like a RegExp to the engine, but runs a linear pattern. */
class LinearExpression extends RegExp {
  readonly #pattern: Pattern;

  constructor(pattern: Pattern) {
    super(pattern.source, "u");
    this.#pattern = pattern;
  }

  override test(text: string): boolean {
    return this.#pattern.test(text);
  }

  override toString(): string {
    return this.#pattern.source;
  }
}

/**
 * Keywords that can invert a result. A pattern inside them cannot be skipped, because that could
 * refuse valid values.
 */
const TURNING = ["not", "if", "oneOf", "contains"];

/** Keywords whose size determines how long interpreting a schema takes. */
const COUNTED = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "properties",
  "patternProperties",
  "dependentSchemas",
  "required",
  "enum",
];
/** The engine's measured time for one member of a keyword, in nanoseconds. */
const PER_MEMBER = 250;
/**
 * The time for one pair of forms of a union, because the engine copies its results for each
 * form.
 */
const PER_PAIR = 10;
const FORMS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);

function patternEffort(keyword: string, value: unknown): number {
  const members = typeof value === "object" && value !== null ? Object.keys(value).length : 1;
  const pairs = FORMS.has(keyword) ? members ** 2 : 0;
  return (1 + members) * PER_MEMBER + pairs * PER_PAIR;
}

/**
 * Copied to a local constant, because near the end of the stack the test runner reads imports as
 * undefined.
 */
const spend = spendCheckBudget;

/** Subtracts from the budget of a check whenever the engine reads a keyword. */
function countReads(schema: SchemaObject): void {
  for (const keyword of COUNTED) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    const effort = patternEffort(keyword, value);
    Object.defineProperty(schema, keyword, {
      enumerable: true,
      get: () => {
        spend(effort);
        return value;
      },
    });
  }
}

function schemaKeywords(schema: SchemaObject): string[] {
  return Object.keys(recordOrEmpty(schema["patternProperties"]));
}

export interface LinearOptions {
  /** Whether the schema is interpreted. Then the engine's reads can be counted. */
  readonly isInterpreted: boolean;
  readonly isUnique: (list: unknown) => boolean;
}

/** The schemas that a check can reach. */
interface KnownSchemas {
  readonly all: ReadonlySet<unknown>;
  /** Schemas with a pattern that is skipped, directly or through references. */
  readonly skipping: ReadonlySet<unknown>;
}

/** A copy of a schema for the engine, with linear patterns. */
class LinearCopy {
  readonly #known: KnownSchemas;
  readonly #patterns: Patterns;
  readonly #nameKey: NameKey;
  readonly #options: LinearOptions;
  readonly #copies = new Map<object, unknown>();

  constructor(known: KnownSchemas, patterns: Patterns, nameKey: NameKey, options: LinearOptions) {
    this.#known = known;
    this.#patterns = patterns;
    this.#nameKey = nameKey;
    this.#options = options;
  }

  /** Copies a shared or recursive object only once. */
  copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const copy: SchemaObject | unknown[] = Array.isArray(value) ? [] : {};
    this.#copies.set(value, copy);
    const source = this.#known.all.has(value) ? this.#withoutSkipped(value as SchemaObject) : value;
    for (const [key, member] of Object.entries(source)) {
      setOwn(copy as SchemaObject, key, this.copy(member));
    }
    if (!this.#known.all.has(value)) return copy;
    this.#replace(copy as SchemaObject, value as SchemaObject);
    if (this.#options.isInterpreted) countReads(copy as SchemaObject);
    return copy;
  }

  #replace(copy: SchemaObject, schema: SchemaObject): void {
    const own = this.#patterns.get(schema["pattern"] as string);
    if (own?.problem !== undefined) delete copy["pattern"];
    else if (own !== undefined) copy["pattern"] = new LinearExpression(own);
    if (schema["uniqueItems"] === true) this.#refineUnique(copy);
    if (schemaKeywords(schema).length === 0) return;
    const members = recordOrEmpty(copy["patternProperties"]);
    const entries = Object.entries(members).map(([source, member]) => {
      const isSkipped = this.#patterns.get(source)?.problem !== undefined;
      return [this.#nameKey(source), isSkipped ? true : member] as const;
    });
    copy["patternProperties"] = Object.fromEntries(entries);
  }

  /**
   * Replaces `uniqueItems`, because the engine's check takes time that grows with the square of the
   * items.
   */
  #refineUnique(copy: SchemaObject): void {
    delete copy["uniqueItems"];
    copy["~refine"] = [
      {
        check: (value: unknown) => !Array.isArray(value) || this.#options.isUnique(value),
        error: () => "must not have duplicate items",
      },
    ];
  }

  #withoutSkipped(schema: SchemaObject): SchemaObject {
    const skipped = TURNING.filter((keyword) => this.#skipsWithin(schema[keyword]));
    if (skipped.length === 0) return schema;
    const kept = Object.entries(schema).filter(([keyword]) => !skipped.includes(keyword));
    const { oneOf } = schema;
    const parts = [...((schema["allOf"] as unknown[] | undefined) ?? []), { anyOf: oneOf }];
    return Object.fromEntries(skipped.includes("oneOf") ? [...kept, ["allOf", parts]] : kept);
  }

  #skipsWithin(part: unknown): boolean {
    const parts = Array.isArray(part) ? part : [part];
    return parts.some((one) => this.#known.skipping.has(one));
  }
}

/** Every member name in a value, at any depth. */
function stringsIn(value: unknown): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const queue = [value];
  while (queue.length > 0) {
    const part = queue.pop();
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    for (const [key, member] of Object.entries(part)) {
      if (isRecord(part)) names.add(key);
      queue.push(member);
    }
    if (names.size > MAX_NAMES) throw new CheckBudgetError();
  }
  return [...names];
}

/**
 * A pattern that matches exactly these names. The first part never matches and only makes the
 * pattern unique.
 */
function listedName(names: readonly string[], index: number): string {
  const literals = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const never = `[]${index}`;
  return names.length === 0 ? never : `${never}|^(?:${literals.join("|")})$`;
}

/** The platform's measured time to start a test of a name, in nanoseconds. */
const PER_TEST = 50;

/** Subtracts from the budget for each name of a value and each pattern for names. */
function chargeNames(value: unknown, patterns: readonly Pattern[]): void {
  if (patterns.length === 0) return;
  for (const name of stringsIn(value)) {
    for (const pattern of patterns) spend(PER_TEST + pattern.costOf(name));
  }
}

/** The schema for the engine: one for all values, or one for each value. */
export type LinearSchema =
  | {
      readonly fixed: JsonSchema;
      /** Call this before a check, because the engine itself runs the patterns for names. */
      readonly charge: (value: unknown) => void;
    }
  | { readonly forValue: (value: unknown) => JsonSchema };

/**
 * The schema in a form that the engine may check. Its patterns are linear, and its reads are
 * counted if it is interpreted. The engine itself runs the keys of `patternProperties`. If a key
 * needs the linear engine, the schema is built for each value, with the matching names instead
 * of the key.
 */
export function linearSchema(
  schema: JsonSchema,
  patterns: Patterns,
  options: LinearOptions,
): LinearSchema {
  const all = reachableSchemas(schema);
  const isSkipped = (source: unknown): boolean =>
    patterns.get(source as string)?.problem !== undefined;
  const skipping = schemasThatReach(schema, all, (one) =>
    [one["pattern"], ...schemaKeywords(one)].some(isSkipped),
  );
  const sources = [...new Set([...all].flatMap(schemaKeywords))];
  const isPlain = sources.every((source) => {
    const pattern = patterns.get(source)!;
    return pattern.problem === undefined && !pattern.needsEngine;
  });
  const copied = (nameKey: NameKey, isInterpreted: boolean): JsonSchema =>
    new LinearCopy({ all, skipping }, patterns, nameKey, { ...options, isInterpreted }).copy(
      schema,
    ) as JsonSchema;
  if (isPlain) {
    const named = sources.map((source) => patterns.get(source)!);
    return {
      fixed: copied((source) => source, options.isInterpreted),
      charge: (value) => chargeNames(value, named),
    };
  }
  const keyFor = (names: readonly string[], source: string): string => {
    const fitting = names.filter((name) => patterns.get(source)!.test(name));
    return listedName(fitting, sources.indexOf(source));
  };
  return {
    forValue(value) {
      const names = stringsIn(value);
      const keys = new Map(sources.map((source) => [source, keyFor(names, source)]));
      return copied((source) => keys.get(source)!, true);
    },
  };
}
