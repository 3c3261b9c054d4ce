import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from "./keywords.ts";
import { resolveRef } from "./pointer.ts";
import { listIn, recordOrEmpty } from "./types.ts";

/** Properties of a schema, computed once. */
export interface SchemaTraits {
  /** Whether a default is declared somewhere. Then a valid value may still need defaults. */
  readonly hasDefaults: boolean;
  /** Whether a property has the name of an inherited member, such as `toString`. */
  readonly namesInheritedMember: boolean;
  /** Whether a list must have unique items somewhere. */
  readonly hasUniqueItems: boolean;
  /** How many schemas a check can reach, each counted once. */
  readonly size: number;
  /**
   * The number of schemas after all references are expanded: the maximum that a check of one value
   * visits.
   */
  readonly unfolded: number;
  /** The length of the longest list of schemas, values or names. */
  readonly longestList: number;
  /** References without a target. */
  readonly brokenRefs: readonly string[];
  /** The regular expressions in the schema, each once. */
  readonly patterns: readonly string[];
}

const MAX_SCHEMAS = 100_000;
/** Keywords whose lists make generated code longer. */
const COUNTED_LISTS = [...LIST_KEYWORDS, "enum", "required"];
/** The maximum number of broken references to name. */
const MAX_NAMED = 8;

/** How to find the schemas in each keyword. The last two keywords are of older drafts. */
const READERS: ReadonlyMap<string, (value: unknown) => readonly unknown[]> = new Map([
  ...Array.from(SCHEMA_KEYWORDS, (keyword) => [keyword, oneOrSeveral] as const),
  ...Array.from(LIST_KEYWORDS, (keyword) => [keyword, listIn] as const),
  ...Array.from(MAP_KEYWORDS, (keyword) => [keyword, valuesIn] as const),
  ["additionalItems", oneOrSeveral] as const,
  ["dependencies", valuesIn] as const,
]);

/** Returns one schema or several, because `items` of older drafts may be a list. */
function oneOrSeveral(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function valuesIn(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}

/**
 * The direct subschemas of a schema. Reads only the keywords that the schema has, because large
 * schemas are read often.
 */
function subschemas(schema: Record<string, unknown>): unknown[] {
  const found: unknown[] = [];
  for (const keyword of Object.keys(schema)) {
    const read = READERS.get(keyword);
    if (read === undefined) continue;
    for (const part of read(schema[keyword])) if (isRecord(part)) found.push(part);
  }
  return found;
}

function namesInherited(schema: Record<string, unknown>): boolean {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  const declared = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [...required, ...declared].some((name) => typeof name === "string" && name in {});
}

function patternsIn(schema: Record<string, unknown>): string[] {
  const own = typeof schema["pattern"] === "string" ? [schema["pattern"]] : [];
  return [...own, ...Object.keys(recordOrEmpty(schema["patternProperties"]))];
}

/**
 * Every schema that a check of this one can reach, each once. Throws if there are too many,
 * because a pattern that was not inspected could take any amount of time.
 */
export function reachableSchemas(
  root: JsonSchema,
  from: unknown = root,
  onBroken?: (ref: string) => void,
): Set<Record<string, unknown>> {
  const seen = new Set<Record<string, unknown>>();
  const queue: unknown[] = [from];
  while (queue.length > 0) {
    const schema = queue.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    if (seen.size === MAX_SCHEMAS)
      throw new TypeError(`the schema has more than ${MAX_SCHEMAS} parts`);
    seen.add(schema);
    for (const part of subschemas(schema)) queue.push(part);
    if (typeof schema["$ref"] !== "string") continue;
    const target = resolveRef(root, schema);
    if (target === undefined) onBroken?.(schema["$ref"]);
    else queue.push(target);
  }
  return seen;
}

/** The schemas inside a schema, and the one it refers to. */
function innerSchemas(root: JsonSchema, schema: Record<string, unknown>): unknown[] {
  const parts = subschemas(schema);
  if (typeof schema["$ref"] === "string") parts.push(resolveRef(root, schema));
  return parts;
}

/**
 * The schemas for which `isWanted` is true, and all schemas from which one of them can be
 * reached.
 */
export function schemasThatReach(
  root: JsonSchema,
  schemas: ReadonlySet<Record<string, unknown>>,
  isWanted: (schema: Record<string, unknown>) => boolean,
): Set<unknown> {
  const wanted = [...schemas].filter(isWanted);
  if (wanted.length === 0) return new Set();
  const users = new Map<unknown, unknown[]>();
  for (const schema of schemas) {
    for (const part of innerSchemas(root, schema)) {
      const known = users.get(part);
      if (known === undefined) users.set(part, [schema]);
      else known.push(schema);
    }
  }
  const found = new Set<unknown>();
  const queue: unknown[] = wanted;
  while (queue.length > 0) {
    const schema = queue.pop();
    if (found.has(schema)) continue;
    found.add(schema);
    for (const user of users.get(schema) ?? []) queue.push(user);
  }
  return found;
}

/** Schemas that are nested deeper than this count as infinite. */
const MAX_DEPTH = 500;

/** The number of schemas after references are expanded. Infinity for a recursive schema. */
function unfoldedSize(root: JsonSchema): number {
  const sizes = new Map<unknown, number>();
  const sizeOf = (schema: unknown, depth: number): number => {
    if (!isRecord(schema)) return 0;
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) return Infinity;
    // If the schema occurs again before its size is known, it contains itself.
    sizes.set(schema, Infinity);
    const size = innerSchemas(root, schema).reduce<number>(
      (sum, part) => sum + sizeOf(part, depth + 1),
      1,
    );
    sizes.set(schema, size);
    return size;
  };
  return sizeOf(root, 0);
}

/** Reads every schema that a check can reach, each once. */
export function readTraits(root: JsonSchema): SchemaTraits {
  const brokenRefs: string[] = [];
  const patterns = new Set<string>();
  let hasDefaults = false;
  let namesInheritedMember = false;
  let hasUniqueItems = false;
  let longestList = 0;
  const schemas = reachableSchemas(root, root, (ref) => {
    if (brokenRefs.length < MAX_NAMED) brokenRefs.push(ref);
  });
  for (const schema of schemas) {
    hasDefaults ||= Object.hasOwn(schema, "default");
    namesInheritedMember ||= namesInherited(schema);
    hasUniqueItems ||= schema["uniqueItems"] === true;
    for (const keyword of COUNTED_LISTS) {
      longestList = Math.max(longestList, listIn(schema[keyword]).length);
    }
    for (const pattern of patternsIn(schema)) patterns.add(pattern);
  }
  return {
    hasDefaults,
    namesInheritedMember,
    hasUniqueItems,
    size: schemas.size,
    unfolded: unfoldedSize(root),
    longestList,
    brokenRefs,
    patterns: [...patterns],
  };
}
