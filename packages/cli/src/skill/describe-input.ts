import { isRecord } from "@waybill/core/schema";

/** How many allowed values are named: of an input itself, and of what a list holds. */
interface MostValues {
  readonly own: number;
  readonly items: number;
}

const FEW: MostValues = { own: 4, items: 0 };

function getValues(
  { enum: own, items }: Readonly<Record<string, unknown>>,
  most: MostValues,
): string {
  const allowed = isRecord(items) ? items["enum"] : own;
  const values = Array.isArray(allowed) ? allowed : [];
  const isFew = values.length <= (isRecord(items) ? most.items : most.own);
  return isFew && values.length > 0 ? `:${values.join("|")}` : "";
}

/** The members that an item must have, for a list of objects cannot be guessed. */
function itemForm(items: unknown): string {
  const required = isRecord(items) && Array.isArray(items["required"]) ? items["required"] : [];
  return required.length === 0 ? "[]" : `[{${required.join(",")}}]`;
}

function getForm(schema: Readonly<Record<string, unknown>>): string {
  if (schema["type"] === "array") return itemForm(schema["items"]);
  return schema["type"] === "object" ? "{}" : "";
}

/** A name with as much as cannot be guessed from it: lists, objects, the few allowed values. */
export function describeInput(
  name: string,
  schema: unknown,
  isRequired: boolean,
  most: MostValues = FEW,
): string {
  const member = isRecord(schema) ? schema : {};
  return `${name}${getForm(member)}${isRequired ? "" : "?"}${getValues(member, most)}`;
}
