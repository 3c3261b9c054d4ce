import { isRecord } from "@waybill/core";

const MAX_VALUES = 4;

function valuesOf(schema: Readonly<Record<string, unknown>>): string {
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return values.length > 0 && values.length <= MAX_VALUES ? `:${values.join("|")}` : "";
}

/** The members that an item must have, for a list of objects cannot be guessed. */
function itemOf(items: unknown): string {
  const required = isRecord(items) && Array.isArray(items["required"]) ? items["required"] : [];
  return required.length === 0 ? "[]" : `[{${required.join(",")}}]`;
}

function formOf(schema: Readonly<Record<string, unknown>>): string {
  if (schema["type"] === "array") return itemOf(schema["items"]);
  return schema["type"] === "object" ? "{}" : "";
}

/** A name with as much as cannot be guessed from it: lists, objects, the few allowed values. */
export function describeInput(name: string, schema: unknown, isRequired: boolean): string {
  const member = isRecord(schema) ? schema : {};
  return `${name}${formOf(member)}${isRequired ? "" : "?"}${valuesOf(member)}`;
}
