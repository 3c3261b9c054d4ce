import type { JsonSchema } from "../envelope/index.ts";
import { isRecord, setOwn } from "../envelope/index.ts";
import { PatternBudgetError } from "../pattern/index.ts";
import type { Pattern } from "../pattern/index.ts";
import { reachableSchemas } from "./traits.ts";
import { recordOf } from "./types.ts";

type Patterns = ReadonlyMap<string, Pattern>;
type SchemaObject = Record<string, unknown>;
/** The key of `patternProperties` that stands for a pattern in the engine's schema. */
type NameKey = (source: string) => string;

const MAX_NAMES = 100_000;

/** What the engine takes for a RegExp, run by our pattern. */
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

/** Keywords that turn a verdict round: a pattern that is skipped in them would refuse values. */
const TURNING = ["not", "if", "oneOf", "contains"];

function namesOf(schema: SchemaObject): string[] {
  return Object.keys(recordOf(schema["patternProperties"]));
}

/** A copy of a schema for the engine, in which our patterns stand for its own. */
class LinearCopy {
  readonly #root: JsonSchema;
  readonly #patterns: Patterns;
  readonly #nameKey: NameKey;
  readonly #schemas: ReadonlySet<unknown>;
  readonly #copies = new Map<object, unknown>();

  constructor(root: JsonSchema, patterns: Patterns, nameKey: NameKey) {
    this.#root = root;
    this.#patterns = patterns;
    this.#nameKey = nameKey;
    this.#schemas = reachableSchemas(root);
  }

  /** Objects that stand in several places, or in themselves, are copied once. */
  copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const copy: SchemaObject | unknown[] = Array.isArray(value) ? [] : {};
    this.#copies.set(value, copy);
    const source = this.#schemas.has(value) ? this.#withoutSkipped(value as SchemaObject) : value;
    for (const [key, member] of Object.entries(source)) {
      setOwn(copy as SchemaObject, key, this.copy(member));
    }
    if (this.#schemas.has(value)) this.#replace(copy as SchemaObject, value as SchemaObject);
    return copy;
  }

  #replace(copy: SchemaObject, schema: SchemaObject): void {
    const own = this.#patterns.get(schema["pattern"] as string);
    if (own?.problem !== undefined) delete copy["pattern"];
    else if (own !== undefined) copy["pattern"] = new LinearExpression(own);
    if (namesOf(schema).length === 0) return;
    const members = recordOf(copy["patternProperties"]);
    const entries = Object.entries(members).map(([source, member]) => {
      const isSkipped = this.#patterns.get(source)?.problem !== undefined;
      return [this.#nameKey(source), isSkipped ? true : member] as const;
    });
    copy["patternProperties"] = Object.fromEntries(entries);
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
    return parts.some((one) =>
      [...reachableSchemas(this.#root, one)].some((schema) =>
        [schema["pattern"] as string, ...namesOf(schema)].some(
          (source) => this.#patterns.get(source)?.problem !== undefined,
        ),
      ),
    );
  }
}

/** Every name that a value has anywhere. */
function namesIn(value: unknown): string[] {
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
    if (names.size > MAX_NAMES) throw new PatternBudgetError();
  }
  return [...names];
}

/** A pattern that matches these names and no others. The first part only keeps two such apart. */
function listed(names: readonly string[], index: number): string {
  const literals = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const never = `[]${index}`;
  return names.length === 0 ? never : `${never}|^(?:${literals.join("|")})$`;
}

/** A schema for the engine: one for all values, or one for each. */
export type LinearSchema =
  | { readonly fixed: JsonSchema }
  | { readonly forValue: (value: unknown) => JsonSchema };

/**
 * The schema as the engine may check it. It runs keys of `patternProperties` itself, so where one
 * of them needs our engine the schema is made for each value, with the names that fit in their
 * place.
 */
export function linearSchema(schema: JsonSchema, patterns: Patterns): LinearSchema {
  const sources = [...new Set([...reachableSchemas(schema)].flatMap(namesOf))];
  const isPlain = sources.every((source) => {
    const pattern = patterns.get(source)!;
    return pattern.problem === undefined && !pattern.needsEngine;
  });
  const copied = (nameKey: NameKey): JsonSchema =>
    new LinearCopy(schema, patterns, nameKey).copy(schema) as JsonSchema;
  if (isPlain) return { fixed: copied((source) => source) };
  const keyFor = (names: readonly string[], source: string): string => {
    const fitting = names.filter((name) => patterns.get(source)!.test(name));
    return listed(fitting, sources.indexOf(source));
  };
  return {
    forValue(value) {
      const names = namesIn(value);
      const keys = new Map(sources.map((source) => [source, keyFor(names, source)]));
      return copied((source) => keys.get(source)!);
    },
  };
}
