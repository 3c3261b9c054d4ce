import { isRecord } from "@waybill/core/schema";
import { resultSchema } from "./result-schema.ts";
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

/** Names of the list in a result that has several arrays, the most common first. */
const LIST_NAMES = ["data", "results", "values", "value", "records", "entries", "list", "content"];

const members = new WeakMap<OperationSpec, { readonly name: string | undefined }>();

/**
 * The output member with the list. It is "" if the output itself is an array, and undefined if
 * there is no list. Cached.
 */
export function listMember(spec: OperationSpec): string | undefined {
  let member = members.get(spec);
  if (member === undefined) {
    member = { name: findMember(spec) };
    members.set(spec, member);
  }
  return member.name;
}

function findMember(spec: OperationSpec): string | undefined {
  if (spec.effect !== "read") return undefined;
  const schema = resultSchema(spec);
  if (isArraySchema(schema)) return "";
  const properties = listProperties(schema);
  if (isArraySchema(properties[ITEMS])) return ITEMS;
  if (spec.pages !== true) return undefined;
  const arrays = Object.keys(properties).filter((name) => isArraySchema(properties[name]));
  return chosenList(arrays, (name) => hasObjects(properties[name]));
}

/** The list among several arrays: the one with a usual name, or the only one with objects. */
function chosenList(
  arrays: readonly string[],
  isOfObjects: (name: string) => boolean,
): string | undefined {
  const named = LIST_NAMES.find((name) => arrays.includes(name));
  return named ?? onlyOne(arrays) ?? onlyOne(arrays.filter(isOfObjects));
}

/** The items of one page. If no list is declared, the answer tells; undefined if it does not. */
export function itemsOnPage(spec: OperationSpec, data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data as unknown[];
  const declared = listMember(spec);
  // Many APIs leave out a list that is empty.
  if (declared !== undefined && isMissing(isRecord(data) ? data[declared] : data)) return [];
  if (!isRecord(data)) return undefined;
  const arrays = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const member = declared ?? chosenList(arrays, (name) => isRecord((data[name] as unknown[])[0]));
  if (member === undefined) return areEmpty(arrays.map((name) => data[name])) ? [] : undefined;
  const items = data[member];
  return Array.isArray(items) ? (items as unknown[]) : undefined;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function areEmpty(lists: readonly unknown[]): boolean {
  return lists.length > 0 && lists.every((list) => Array.isArray(list) && list.length === 0);
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function hasObjects(list: unknown): boolean {
  const items = isRecord(list) ? list["items"] : undefined;
  return isRecord(items) && (items["type"] === "object" || items["properties"] !== undefined);
}

/** Members of a list's result besides its items, as far as they are declared. */
export function otherMembers(spec: OperationSpec): readonly string[] {
  const member = listMember(spec);
  const names = Object.keys(listProperties(resultSchema(spec)));
  return names.filter((name) => name !== member && name !== "pageInfo");
}

/** The largest page that the schema allows; undefined if it has no limit. */
export function largestPage({ inputSchema }: OperationSpec, name: string): number | undefined {
  const schema = listProperties(inputSchema)[name];
  const maximum = isRecord(schema) ? schema["maximum"] : undefined;
  return typeof maximum === "number" ? maximum : undefined;
}
