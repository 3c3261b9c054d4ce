import { isRecord } from "../../envelope/index.ts";
import { Pending } from "./pending.ts";
import type { PathKey, PlainPath, SyntaxTree } from "./prepared-mapping.ts";

/** Stands for a value that does not exist, which is not the same as null. */
export const MISSING: unique symbol = Symbol("missing");

const DOTTED = /^\$?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** Parses a dotted path without the library. Undefined for any other expression. */
export function dottedPath(text: string): PlainPath | undefined {
  if (text === "@") return { keys: [] };
  if (!DOTTED.test(text)) return undefined;
  const keys = text.split(".");
  if (!text.startsWith("$")) return { keys };
  return { variable: keys[0]!.slice(1), keys: keys.slice(1) };
}

function joinedPath(left: unknown, right: unknown): PlainPath | undefined {
  const head = treePath(left as SyntaxTree);
  const tail = treePath(right as SyntaxTree);
  if (head === undefined || tail === undefined || tail.variable !== undefined) return undefined;
  return { ...head, keys: [...head.keys, ...tail.keys] };
}

/**
 * The path that a syntax tree of names, quoted names and indexes stands for. Undefined for any
 * other tree.
 */
export function treePath(tree: SyntaxTree): PlainPath | undefined {
  switch (tree.type) {
    case "Current":
    case "Identity":
      return { keys: [] };
    case "Field":
      return { keys: [tree["name"] as string] };
    case "Index":
      return { keys: [tree["value"] as number] };
    case "Variable":
      return { variable: tree["name"] as string, keys: [] };
    case "Subexpression":
    case "IndexExpression":
      return joinedPath(tree["left"], tree["right"]);
    default:
      return undefined;
  }
}

function step(value: unknown, key: PathKey): unknown {
  if (typeof key === "string") {
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : MISSING;
  }
  if (!Array.isArray(value)) return MISSING;
  const index = key < 0 ? value.length + key : key;
  return index >= 0 && index < value.length ? (value[index] as unknown) : MISSING;
}

/**
 * The value at the path. Below null everything is null, as in JMESPath: the login of a deleted
 * author is null. Inherited members are ignored.
 */
export function readPath(start: unknown, keys: readonly PathKey[]): unknown {
  let value = start;
  for (const key of keys) {
    if (value === null || value instanceof Pending) return value;
    value = step(value, key);
    if (value === MISSING) return MISSING;
  }
  return value === undefined ? MISSING : value;
}
