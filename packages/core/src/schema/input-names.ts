import { isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import { besideRef, isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOf } from "./types.ts";

/** With more schemas it is treated as open: a name is refused only when every name was read. */
const MAX_SCHEMAS = 10_000;
const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["if", "then", "else"];

interface Collected {
  readonly names: Set<string>;
  readonly seen: Set<unknown>;
  hasList: boolean;
  isOpen: boolean;
}

/** `false` closes an object; any other value of these keywords lets in names that are not listed. */
function opensObject(schema: Record<string, unknown>): boolean {
  return (
    (schema["additionalProperties"] ?? false) !== false ||
    (schema["unevaluatedProperties"] ?? false) !== false ||
    Object.keys(recordOf(schema["patternProperties"])).length > 0 ||
    "$dynamicRef" in schema
  );
}

/** Every schema that applies to the same object, in whichever branch it stands. */
function branches(schema: Record<string, unknown>): JsonSchema[] {
  return [
    ...LISTS.flatMap((keyword) => listIn(schema[keyword])),
    ...SINGLES.map((keyword) => schema[keyword]),
    ...Object.values(recordOf(schema["dependentSchemas"])),
  ].filter(isSchema);
}

/** The schemas that stand in this one, after its own names were read. */
function readNames(root: JsonSchema, schema: JsonSchema, into: Collected): JsonSchema[] {
  // One that was met before declares nothing new.
  if (into.seen.has(schema)) return [];
  into.seen.add(schema);
  const resolved = resolveRef(root, schema);
  if (!isRecord(resolved)) return [];
  into.isOpen ||= into.seen.size > MAX_SCHEMAS || opensObject(resolved);
  if (isRecord(resolved["properties"])) {
    into.hasList = true;
    for (const name of Object.keys(resolved["properties"])) into.names.add(name);
  }
  const beside = besideRef(schema);
  const inner = resolved === schema ? branches(resolved) : [resolved];
  return beside === undefined ? inner : [...inner, beside];
}

/**
 * Every name that an input may have, or undefined where the schema takes any name. Names in any
 * branch of `anyOf`, `oneOf`, `allOf` or `if` count as declared.
 */
export function inputNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  const collected: Collected = { names: new Set(), seen: new Set(), hasList: false, isOpen: false };
  const queue = [schema];
  while (queue.length > 0 && !collected.isOpen) {
    queue.push(...readNames(schema, queue.pop()!, collected));
  }
  return collected.isOpen || !collected.hasList ? undefined : collected.names;
}
