import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";

/** Name of the member that holds the items of a list. */
const ITEMS = "items";

export function listProperties(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

function isArraySchema(schema: unknown): boolean {
  return isRecord(schema) && (schema["type"] === "array" || schema["items"] !== undefined);
}

function takes({ inputSchema }: OperationSpec, ...names: readonly string[]): boolean {
  const properties = listProperties(inputSchema);
  return names.every((name) => Object.hasOwn(properties, name));
}

/** How a capability is read page by page, if it is. */
export type Paging = "first" | "limit" | "route" | undefined;

export function findPaging(spec: OperationSpec): Paging {
  if (spec.effect !== "read") return undefined;
  if (spec.pages === true) return "route";
  if (takes(spec, "first", "after")) return "first";
  return takes(spec, "cursor") ? "limit" : undefined;
}

/**
 * The member of the output that is the list: "" for an output that is an array itself, undefined for
 * a capability that is no list.
 */
export function listMember(spec: OperationSpec): string | undefined {
  if (spec.effect !== "read") return undefined;
  if (isArraySchema(spec.outputSchema)) return "";
  const properties = listProperties(spec.outputSchema);
  if (isArraySchema(properties[ITEMS])) return ITEMS;
  const arrays = Object.keys(properties).filter((name) => isArraySchema(properties[name]));
  return spec.pages === true && arrays.length === 1 ? arrays[0] : undefined;
}

/** The largest page that the schema allows; undefined where it does not say. */
export function largestPage({ inputSchema }: OperationSpec, name: string): number | undefined {
  const schema = listProperties(inputSchema)[name];
  const maximum = isRecord(schema) ? schema["maximum"] : undefined;
  return typeof maximum === "number" ? maximum : undefined;
}
