import type { JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";

const MAX_REF_CHAIN = 32;

export function pointerKey(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function decodeKey(key: string): string {
  const plain = key.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What a JSON pointer (with or without `#`) names, or undefined. Only own members are followed. */
export function atPointer(root: unknown, pointer: string): unknown {
  const path = pointer.startsWith("#") ? pointer.slice(1) : pointer;
  if (path === "") return root;
  if (!path.startsWith("/")) return undefined;
  let value = root;
  for (const key of path.slice(1).split("/")) value = step(value, decodeKey(key));
  return value;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

/** Finds what `$ref: "#name"` means: the subschema that carries the name as `$anchor` or `$id`. */
function atAnchor(root: JsonSchema, ref: string): unknown {
  if (!isRecord(root)) return undefined;
  const defs = root["$defs"] ?? root["definitions"];
  if (!isRecord(defs)) return undefined;
  return Object.values(defs).find(
    (def) => isRecord(def) && (def["$anchor"] === ref.slice(1) || def["$id"] === ref),
  );
}

/** Follows local references to the schema they end at; undefined when one leads nowhere. */
export function resolveRef(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  let current: JsonSchema = schema;
  for (let hop = 0; hop < MAX_REF_CHAIN; hop++) {
    if (!isRecord(current)) return current;
    const ref = current["$ref"];
    if (typeof ref !== "string") return current;
    const target = ref.startsWith("#/") || ref === "#" ? atPointer(root, ref) : atAnchor(root, ref);
    if (!isSchema(target)) return undefined;
    current = target;
  }
  return undefined;
}
