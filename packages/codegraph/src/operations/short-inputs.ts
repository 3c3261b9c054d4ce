import { isRecord } from "@waybill/core/schema";
import type { JsonSchemaObject } from "@waybill/core/schema";
import type { GraphToolName } from "../query/index.ts";
import { INPUTS } from "./inputs.ts";

/** Checked but not described: an input that breaks one gets a clear error. */
const UNTOLD = new Set(["minLength", "maxLength", "minItems", "minimum"]);
/** A limit that a caller meets without meaning to. */
const NEAR = 10;

function isTold(keyword: string, value: unknown): boolean {
  if (keyword === "maximum") return Number(value) <= NEAR;
  if (keyword === "required") return Array.isArray(value) && value.length > 0;
  return !UNTOLD.has(keyword);
}

/** Names of inputs are no keywords, whatever they are called. */
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

/** Rules whose whole schema costs more than the tool: what is wrong with one is said when it is. */
const RULES: JsonSchemaObject = {
  type: "object",
  description:
    "In place of .waybill/graph/layers.json: {forbidden:[{name,from,to}],allowed:[{from,to}],required:[{name,module,to}]}; each of these {path,pathNot}, to also {reachable,circular,via,viaOnly,dependencyTypes}; paths are prefixes or globs",
};
const SHORT: Partial<Record<GraphToolName, Readonly<Record<string, JsonSchemaObject>>>> = {
  layers: { rules: RULES },
};

/** The inputs of a tool in as few words as possible; `INPUTS` is what is checked. */
export function toldInput(tool: GraphToolName): JsonSchemaObject {
  const { properties, ...schema } = INPUTS[tool];
  const members = { ...(isRecord(properties) ? properties : {}), ...SHORT[tool] };
  return toldSchema({ ...schema, properties: members });
}
