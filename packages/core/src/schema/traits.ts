import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from "./keywords.ts";
import { resolveRef } from "./pointer.ts";
import { recordOf } from "./types.ts";

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
  /** The regular expressions in it, each once. */
  readonly patterns: readonly string[];
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

function patternsIn(schema: Record<string, unknown>): string[] {
  const own = typeof schema["pattern"] === "string" ? [schema["pattern"]] : [];
  return [...own, ...Object.keys(recordOf(schema["patternProperties"]))];
}

/** Every schema that a check of this one can reach, each once. */
export function reachableSchemas(
  root: JsonSchema,
  from: unknown = root,
  onBroken?: (ref: string) => void,
): Set<Record<string, unknown>> {
  const seen = new Set<Record<string, unknown>>();
  const queue: unknown[] = [from];
  while (queue.length > 0 && seen.size < MAX_SCHEMAS) {
    const schema = queue.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    queue.push(...subschemas(schema));
    if (typeof schema["$ref"] !== "string") continue;
    const target = resolveRef(root, schema);
    if (target === undefined) onBroken?.(schema["$ref"]);
    else queue.push(target);
  }
  return seen;
}

/** Looks at every schema that a check can reach, each once. */
export function readTraits(root: JsonSchema): SchemaTraits {
  const brokenRefs: string[] = [];
  const patterns = new Set<string>();
  let hasDefaults = false;
  let namesInheritedMember = false;
  const schemas = reachableSchemas(root, root, (ref) => {
    if (brokenRefs.length < MAX_NAMED) brokenRefs.push(ref);
  });
  for (const schema of schemas) {
    hasDefaults ||= Object.hasOwn(schema, "default");
    namesInheritedMember ||= namesInherited(schema);
    for (const pattern of patternsIn(schema)) patterns.add(pattern);
  }
  const size = schemas.size;
  return { hasDefaults, namesInheritedMember, size, brokenRefs, patterns: [...patterns] };
}
