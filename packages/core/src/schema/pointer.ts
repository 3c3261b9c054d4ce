import type { JsonSchema, JsonSchemaObject } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";

const MAX_REF_CHAIN = 32;

export function pointerKey(key: string | number): string {
  // Tests for special characters first, because most keys have none and a large answer has a
  // million keys.
  if (typeof key === "number" || !/[~/]/.test(key)) return `/${key}`;
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function decodeKey(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A pointer in a URI fragment may be percent-encoded. A plain pointer into data never is. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

export function memberAt(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * The value at a JSON pointer (with or without `#`), or undefined. Only own members are followed.
 */
export function atPointer(root: unknown, pointer: string): unknown {
  const path = pointer.startsWith("#") ? decodeFragment(pointer.slice(1)) : pointer;
  if (path === "") return root;
  if (!path.startsWith("/")) return undefined;
  let value = root;
  for (const key of path.slice(1).split("/")) value = memberAt(value, decodeKey(key));
  return value;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

/** Keywords whose value is data. Inside, `$id` and `$anchor` have no meaning. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Every keyword of a schema and its subschemas, with its value and its schema. */
export function* keywordsIn(
  root: JsonSchema,
): Generator<readonly [keyword: string, value: unknown, holder: object]> {
  const seen = new Set<unknown>();
  const queue: unknown[] = [root];
  while (queue.length > 0) {
    const holder = queue.pop();
    if (typeof holder !== "object" || holder === null || seen.has(holder)) continue;
    seen.add(holder);
    for (const [keyword, value] of Object.entries(holder)) {
      yield [keyword, value, holder];
      if (!DATA_KEYWORDS.has(keyword)) queue.push(value);
    }
  }
}

/** Every schema with an `$anchor` or `$id`, at any position. */
function anchorsIn(root: JsonSchemaObject): Map<string, JsonSchema> {
  const names = new Map<string, JsonSchema>();
  for (const [keyword, name, schema] of keywordsIn(root)) {
    if (!isRecord(schema)) continue;
    const isAnchor = keyword === "$anchor" || keyword === "$dynamicAnchor";
    if (isAnchor) names.set(`#${String(name)}`, schema);
    else if (keyword === "$id") names.set(String(name), schema);
  }
  return names;
}

const namedSchemas = new WeakMap<object, Map<string, JsonSchema>>();

/** Finds what `$ref: "#name"` or `$ref: "Name"` means: the schema with that `$anchor` or `$id`. */
function atName(root: JsonSchema, ref: string): unknown {
  if (!isRecord(root)) return undefined;
  const names = namedSchemas.get(root) ?? anchorsIn(root);
  namedSchemas.set(root, names);
  return names.get(ref);
}

/** The target of one reference. It may start with the schema's own `$id`. */
export function referenceTarget(root: JsonSchema, ref: string): unknown {
  const id = isRecord(root) ? root["$id"] : undefined;
  const isOwn = typeof id === "string" && ref.startsWith(`${id}#`);
  const local = isOwn ? ref.slice(id.length) : ref;
  return local.startsWith("#/") || local === "#" ? atPointer(root, local) : atName(root, local);
}

/** Follows local references to the final schema; undefined if a target is missing. */
export function resolveRef(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  let current: JsonSchema = schema;
  for (let hop = 0; hop < MAX_REF_CHAIN; hop++) {
    if (!isRecord(current)) return current;
    const ref = current["$ref"];
    if (typeof ref !== "string") return current;
    const target = referenceTarget(root, ref);
    if (!isSchema(target)) return undefined;
    current = target;
  }
  return undefined;
}

const SHAPE_KEYWORDS = [
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
];

/** Combines a `$ref` with the keywords beside it. Both apply, as in an `allOf`. */
export function besideRef(schema: JsonSchema): JsonSchemaObject | undefined {
  if (!isRecord(schema) || typeof schema["$ref"] !== "string") return undefined;
  if (!SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) return undefined;
  const { $ref: _ref, ...beside } = schema;
  return beside;
}
