import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { bestForm } from "./match-form.ts";
import { matchesPattern } from "./patterns.ts";
import { besideRef, isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOf, unionOf } from "./types.ts";

const MAX_DEPTH = 16;
/** Keywords that can declare properties in ways a name list does not show. */
const OPAQUE = ["if", "dependentSchemas", "not", "$dynamicRef"];

interface Declared {
  readonly names: Set<string>;
  readonly patterns: string[];
  /** Something may declare more than could be read, so nothing may be taken away. */
  isOpen: boolean;
}

function collect(
  root: JsonSchema,
  schema: JsonSchema,
  value: unknown,
  into: Declared,
  depth: number,
): void {
  const resolved = resolveRef(root, schema);
  if (!isRecord(resolved)) return;
  if (depth > MAX_DEPTH || OPAQUE.some((keyword) => keyword in resolved)) into.isOpen = true;
  if (isRecord(resolved["additionalProperties"])) into.isOpen = true;
  for (const name of Object.keys(recordOf(resolved["properties"]))) into.names.add(name);
  into.patterns.push(...Object.keys(recordOf(resolved["patternProperties"])));
  if (into.isOpen) return;
  const beside = besideRef(schema);
  if (beside !== undefined) collect(root, beside, value, into, depth + 1);
  for (const part of listIn(resolved["allOf"])) {
    if (isSchema(part)) collect(root, part, value, into, depth + 1);
  }
  const forms = unionOf(resolved);
  const form = bestForm(root, forms, value);
  if (form !== undefined) collect(root, form, value, into, depth + 1);
  else if (forms.length > 0) into.isOpen = true;
}

function declaredIn(root: JsonSchema, schema: JsonSchema, value: unknown): Declared {
  const declared: Declared = { names: new Set(), patterns: [], isOpen: false };
  collect(root, schema, value, declared, 0);
  return declared;
}

/** The properties that any part of a schema names for a value. */
export function declaredNames(root: JsonSchema, schema: JsonSchema, value: unknown): string[] {
  return [...declaredIn(root, schema, value).names];
}

/** The members of a value that no part of its schema declares. */
export function undeclaredNames(
  root: JsonSchema,
  schema: JsonSchema,
  value: Record<string, unknown>,
): string[] {
  const declared = declaredIn(root, schema, value);
  if (declared.isOpen || declared.names.size + declared.patterns.length === 0) return [];
  return Object.keys(value).filter(
    (name) =>
      !declared.names.has(name) &&
      !declared.patterns.some((pattern) => matchesPattern(pattern, name)),
  );
}
