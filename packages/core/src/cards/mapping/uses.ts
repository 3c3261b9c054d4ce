import { isKeys } from "./prepared-mapping.ts";
import type { PathKey, PlainPath, PreparedMapping } from "./prepared-mapping.ts";

/** A path that a mapping reads, in the params or in a variable. */
export interface Use {
  readonly variable: string;
  readonly keys: readonly PathKey[];
}

interface Child {
  readonly node: PreparedMapping;
  /** Whether the child has the same current value as its parent. */
  readonly isSame: boolean;
}

function same(node: PreparedMapping): Child {
  return { node, isSame: true };
}

function other(node: PreparedMapping): Child {
  return { node, isSame: false };
}

/** The direct children of a mapping. */
function readChildren(node: PreparedMapping): Child[] {
  if (isKeys(node)) return [];
  switch (node.is) {
    case "object":
      return node.fields.map(([, field]) => same(field));
    case "list":
      return node.items.map(same);
    case "from":
    case "each":
      return [same(node.of), other(node.value)];
    case "map":
    case "call":
      return [same(node.of)];
    case "find":
      return [same(node.name), same(node.list), other(node.by), other(node.value)];
    case "text":
      return node.parts.filter((part) => typeof part !== "string").map(same);
    default:
      return [];
  }
}

/** The root value of a request mapping has the params, and also `lookup` and `env`. */
function getUse({ variable, keys }: PlainPath): Use {
  if (variable !== undefined) return { variable, keys };
  const [first, ...rest] = keys;
  if (first === "lookup" || first === "env") return { variable: first, keys: rest };
  return { variable: "params", keys };
}

function ownUses(node: PreparedMapping, seesParams: boolean): Use[] {
  if (isKeys(node)) return seesParams ? [getUse({ keys: node })] : [];
  if (node.is === "variable") return [getUse(node)];
  if (node.is !== "expression") return [];
  const reads = node.reads.filter((path) => path.variable === undefined && seesParams);
  return [...reads, ...node.variables].map(getUse);
}

/**
 * Everything that a mapping reads from params, lookups and environment facts. `seesParams` is
 * true if its root value has the params.
 */
export function readUses(node: PreparedMapping, seesParams: boolean): Use[] {
  return [
    ...ownUses(node, seesParams),
    ...readChildren(node).flatMap((child) => readUses(child.node, seesParams && child.isSame)),
  ];
}

export function usesLibrary(node: PreparedMapping): boolean {
  if (isKeys(node)) return false;
  return node.is === "expression" || readChildren(node).some((child) => usesLibrary(child.node));
}

/** Names of the functions that a mapping calls. */
export function readCalls(node: PreparedMapping): string[] {
  const own = !isKeys(node) && node.is === "call" ? [node.name] : [];
  return [...own, ...readChildren(node).flatMap((child) => readCalls(child.node))];
}
