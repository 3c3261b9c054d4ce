import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { bestForm } from "./match-form.ts";
import { matchesPattern } from "./patterns.ts";
import { besideRef, isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOrEmpty, unionForms } from "./types.ts";

const MAX_SCHEMAS = 10_000;
/** Keywords that may allow properties that are not listed by name. */
const OPAQUE = ["if", "dependentSchemas", "not", "$dynamicRef"];

interface Declared {
  readonly names: Set<string>;
  readonly patterns: string[];
  readonly seen: Set<unknown>;
  /** Whether some declared properties could not be read. Then nothing may be removed. */
  isOpen: boolean;
}

/** Reads the names of this schema, and returns the other schemas for the same value. */
function readNames(
  root: JsonSchema,
  schema: JsonSchema,
  value: unknown,
  into: Declared,
): unknown[] {
  // This schema was read before and declares nothing new.
  if (into.seen.has(schema)) return [];
  into.seen.add(schema);
  const resolved = resolveRef(root, schema);
  if (!isRecord(resolved)) return [];
  const isOpaque = OPAQUE.some((keyword) => keyword in resolved);
  into.isOpen ||= isOpaque || into.seen.size > MAX_SCHEMAS;
  if (isRecord(resolved["additionalProperties"])) into.isOpen = true;
  for (const name of Object.keys(recordOrEmpty(resolved["properties"]))) into.names.add(name);
  into.patterns.push(...Object.keys(recordOrEmpty(resolved["patternProperties"])));
  const beside = besideRef(schema);
  if (resolved !== schema) return beside === undefined ? [resolved] : [resolved, beside];
  const forms = unionForms(resolved);
  const form = bestForm(root, forms, value);
  if (form === undefined && forms.length > 0) into.isOpen = true;
  return [...listIn(resolved["allOf"]), form];
}

function declaredIn(root: JsonSchema, schema: JsonSchema, value: unknown): Declared {
  const declared: Declared = { names: new Set(), patterns: [], seen: new Set(), isOpen: false };
  const queue: unknown[] = [schema];
  while (queue.length > 0 && !declared.isOpen) {
    const next = queue.pop();
    if (isSchema(next)) queue.push(...readNames(root, next, value, declared));
  }
  return declared;
}

/** The properties that any part of a schema declares for a value. */
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
