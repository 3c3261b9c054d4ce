import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from "./keywords.ts";
import { resolveRef } from "./pointer.ts";
import { matchesPattern, recordOf } from "./types.ts";

/** What is known of a schema once, so that a call does not look again. */
export interface SchemaTraits {
  /** Somewhere a default is declared, so a conforming value may still have gaps to fill. */
  readonly hasDefaults: boolean;
  /** A property is named like a member every object inherits, such as `toString`. */
  readonly namesInheritedMember: boolean;
  /** How many schemas a check can reach, each counted once. */
  readonly size: number;
  /** References that lead nowhere. */
  readonly brokenRefs: readonly string[];
  /** Patterns that are no regular expressions. */
  readonly badPatterns: readonly string[];
}

const MAX_SCHEMAS = 100_000;
/** How many broken things are named. */
const MAX_NAMED = 8;

/** Every schema that stands directly inside this one. */
function* subschemas(schema: Record<string, unknown>): Generator {
  for (const keyword of SCHEMA_KEYWORDS) yield schema[keyword];
  for (const keyword of LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* list as unknown[];
  }
  for (const keyword of MAP_KEYWORDS) {
    const map = schema[keyword];
    if (isRecord(map)) yield* Object.values(map);
  }
}

function namesInherited(schema: Record<string, unknown>): boolean {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  const declared = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [...required, ...declared].some((name) => typeof name === "string" && name in {});
}

function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, "");
    return true;
  } catch {
    return false;
  }
}

function badPatternsIn(schema: Record<string, unknown>): string[] {
  const own = typeof schema["pattern"] === "string" ? [schema["pattern"]] : [];
  const patterns = [...own, ...Object.keys(recordOf(schema["patternProperties"]))];
  return patterns.filter((pattern) => !isPattern(pattern));
}

/** Looks at every schema that a check can reach, each once. */
export function readTraits(root: JsonSchema): SchemaTraits {
  const seen = new Set<unknown>();
  const queue: unknown[] = [root];
  const brokenRefs: string[] = [];
  const badPatterns: string[] = [];
  let hasDefaults = false;
  let namesInheritedMember = false;
  while (queue.length > 0 && seen.size < MAX_SCHEMAS) {
    const schema = queue.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    hasDefaults ||= Object.hasOwn(schema, "default");
    namesInheritedMember ||= namesInherited(schema);
    badPatterns.push(...badPatternsIn(schema));
    queue.push(...subschemas(schema));
    if (typeof schema["$ref"] !== "string") continue;
    const target = resolveRef(root, schema);
    if (target !== undefined) queue.push(target);
    else if (brokenRefs.length < MAX_NAMED) brokenRefs.push(schema["$ref"]);
  }
  badPatterns.splice(MAX_NAMED);
  return { hasDefaults, namesInheritedMember, size: seen.size, brokenRefs, badPatterns };
}
