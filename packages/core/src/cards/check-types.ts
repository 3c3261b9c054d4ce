import { isRecord } from "../envelope/index.ts";
import {
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  SCHEMA_KEYWORDS,
  nearestNames,
  pointerKey,
} from "../schema/index.ts";
import type { Finding } from "./finding.ts";

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;
const MAX_DEPTH = 64;

/** An unknown type makes a validator accept everything, or nothing, without a warning. */
function typeFinding(type: unknown, pointer: string): Finding[] {
  if (TYPES.some((known) => known === type)) return [];
  const shown = JSON.stringify(type) ?? "nothing";
  const near = typeof type === "string" ? nearestNames(type, TYPES, 1)[0] : undefined;
  const advice = near === undefined ? `one of ${TYPES.join(", ")}` : `did you mean "${near}"?`;
  return [{ pointer, message: `${shown} is not a type; ${advice}` }];
}

function ownFindings({ type }: Record<string, unknown>, pointer: string): Finding[] {
  if (type === undefined) return [];
  if (!Array.isArray(type)) return typeFinding(type, `${pointer}/type`);
  return type.flatMap((each, index) => typeFinding(each, `${pointer}/type/${index}`));
}

function subschemaPointers(keyword: string, value: unknown, pointer: string): [unknown, string][] {
  if (SCHEMA_KEYWORDS.has(keyword)) return [[value, pointer]];
  if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) {
    return value.map((part: unknown, index) => [part, `${pointer}/${index}`]);
  }
  const isMap = MAP_KEYWORDS.has(keyword) || keyword === "$defs";
  if (!isMap || !isRecord(value)) return [];
  return Object.entries(value).map(([name, part]) => [part, `${pointer}${pointerKey(name)}`]);
}

/** Finds misspelt types in a schema. */
export function typeFindings(schema: unknown, pointer: string, depth = 0): Finding[] {
  if (!isRecord(schema) || depth > MAX_DEPTH) return [];
  const parts = Object.entries(schema).flatMap(([keyword, value]) =>
    subschemaPointers(keyword, value, `${pointer}${pointerKey(keyword)}`),
  );
  return [
    ...ownFindings(schema, pointer),
    ...parts.flatMap(([part, place]) => typeFindings(part, place, depth + 1)),
  ];
}
