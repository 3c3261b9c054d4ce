import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";

/** Name of the member that contains the items of a list. */
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

/** How a capability is paged; undefined if it is not. */
export type Paging = "first" | "limit" | "route" | undefined;

export function findPaging(spec: OperationSpec): Paging {
  if (spec.effect !== "read") return undefined;
  if (spec.pages === true) return "route";
  if (takes(spec, "first", "after")) return "first";
  return takes(spec, "cursor") ? "limit" : undefined;
}

/**
 * The output member with the list. It is "" if the output itself is an array, and undefined if
 * there is no list.
 */
export function listMember(spec: OperationSpec): string | undefined {
  if (spec.effect !== "read") return undefined;
  if (isArraySchema(spec.outputSchema)) return "";
  const properties = listProperties(spec.outputSchema);
  if (isArraySchema(properties[ITEMS])) return ITEMS;
  const arrays = Object.keys(properties).filter((name) => isArraySchema(properties[name]));
  return spec.pages === true && arrays.length === 1 ? arrays[0] : undefined;
}

/** The largest page that the schema allows; undefined if it has no limit. */
export function largestPage({ inputSchema }: OperationSpec, name: string): number | undefined {
  const schema = listProperties(inputSchema)[name];
  const maximum = isRecord(schema) ? schema["maximum"] : undefined;
  return typeof maximum === "number" ? maximum : undefined;
}
