import { isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import { besideRef, isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOf } from "./types.ts";

/** Deeper schemas are treated as open: a name is refused only when every declared name was read. */
const MAX_DEPTH = 16;
const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["if", "then", "else"];

interface Collected {
  readonly names: Set<string>;
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

function collect(root: JsonSchema, schema: JsonSchema, into: Collected, depth: number): void {
  const resolved = resolveRef(root, schema);
  if (!isRecord(resolved) || into.isOpen) return;
  if (depth > MAX_DEPTH || opensObject(resolved)) {
    into.isOpen = true;
    return;
  }
  if (isRecord(resolved["properties"])) {
    into.hasList = true;
    for (const name of Object.keys(resolved["properties"])) into.names.add(name);
  }
  const beside = besideRef(schema);
  if (beside !== undefined) collect(root, beside, into, depth + 1);
  for (const branch of branches(resolved)) collect(root, branch, into, depth + 1);
}

/**
 * Every name that an input may have, or undefined where the schema takes any name. Names in any
 * branch of `anyOf`, `oneOf`, `allOf` or `if` count as declared.
 */
export function inputNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  const collected: Collected = { names: new Set(), hasList: false, isOpen: false };
  collect(schema, schema, collected, 0);
  return collected.isOpen || !collected.hasList ? undefined : collected.names;
}
