import { isRecord } from "@waybill/core/schema";
import type { JsonSchemaObject } from "@waybill/core/schema";
import type { GraphToolName } from "../query/index.ts";
import { INPUTS } from "./inputs.ts";

/**
 * Keywords that are validated but left out of the listing, because an invalid input gets a clear
 * error.
 */
const UNTOLD = new Set(["minLength", "maxLength", "minItems", "minimum"]);
/** Limits below this number are listed, because a caller can exceed them by accident. */
const NEAR = 10;

function isTold(keyword: string, value: unknown): boolean {
  if (keyword === "maximum") return Number(value) <= NEAR;
  if (keyword === "required") return Array.isArray(value) && value.length > 0;
  return !UNTOLD.has(keyword);
}

/**
 * Shortens the schema of each member, but leaves none out: the name of a member may be that of a
 * keyword.
 */
function toldMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, told(member)]));
}

function toldSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(schema).filter(([keyword, value]) => isTold(keyword, value));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === "properties" && isRecord(value)) return [keyword, toldMembers(value)];
      return [keyword, keyword === "items" ? told(value) : value];
    }),
  );
}

function told(schema: unknown): unknown {
  return isRecord(schema) ? toldSchema(schema) : schema;
}

/**
 * A short schema for rules. The full one costs more tokens than the whole tool; errors explain
 * mistakes.
 */
const RULES: JsonSchemaObject = {
  type: "object",
  description:
    "In place of .waybill/graph/layers.json: {forbidden:[{name,from,to}],allowed:[{from,to}],required:[{name,module,to}]}; each of these {path,pathNot}, to also {reachable,circular,via,viaOnly,dependencyTypes}; paths are prefixes or globs",
};
const SHORT: Partial<Record<GraphToolName, Readonly<Record<string, JsonSchemaObject>>>> = {
  layers: { rules: RULES },
};

/** The shortest schema of a tool's inputs, for listings. `INPUTS` is used for checks. */
export function toldInput(tool: GraphToolName): JsonSchemaObject {
  const { properties, ...schema } = INPUTS[tool];
  const members = { ...(isRecord(properties) ? properties : {}), ...SHORT[tool] };
  return toldSchema({ ...schema, properties: members });
}
