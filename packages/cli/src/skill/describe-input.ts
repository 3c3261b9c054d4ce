import { isRecord } from "@waybill/core/schema";

/** The most allowed values to list, for an input and for the items of a list. */
interface MostValues {
  readonly own: number;
  readonly items: number;
}

function getValues(
  { enum: own, items }: Readonly<Record<string, unknown>>,
  most: MostValues,
): string {
  const allowed = isRecord(items) ? items["enum"] : own;
  const values = Array.isArray(allowed) ? allowed : [];
  const isFew = values.length <= (isRecord(items) ? most.items : most.own);
  return isFew && values.length > 0 ? `:${values.join("|")}` : "";
}

/** The required members of an item, because an agent cannot guess them. */
function itemForm(items: unknown): string {
  const required = isRecord(items) && Array.isArray(items["required"]) ? items["required"] : [];
  return required.length === 0 ? "[]" : `[{${required.join(",")}}]`;
}

function getForm(schema: Readonly<Record<string, unknown>>): string {
  if (schema["type"] === "array") return itemForm(schema["items"]);
  return schema["type"] === "object" ? "{}" : "";
}

/**
 * An input's name, with the facts that cannot be guessed from it: lists, objects and allowed
 * values.
 */
export function describeInput(
  name: string,
  schema: unknown,
  isRequired: boolean,
  most: MostValues,
): string {
  const member = isRecord(schema) ? schema : {};
  return `${name}${getForm(member)}${isRequired ? "" : "?"}${getValues(member, most)}`;
}
