import { MappingError } from "./mapping-error.ts";
import type { MapNode } from "./prepared-mapping.ts";
import { scalarText } from "./scalar.ts";

/** Looks up a value in the mapping's table. Null stays null if the table has no entry for it. */
export function listedValue(node: MapNode, value: unknown, at: string): unknown {
  const key = value === null ? "null" : scalarText(value);
  if (key !== undefined && Object.hasOwn(node.table, key)) return node.table[key];
  if (value === null) return null;
  if (node.fallback !== undefined) return node.fallback.value;
  const allowed = Object.keys(node.table);
  const given = JSON.stringify(value).slice(0, 80);
  throw new MappingError(at, `${given} is not one of ${allowed.join(", ")}`, { allowed });
}
