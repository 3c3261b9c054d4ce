import type { Expression, ObjectExpression } from "oxc-parser";
import { textOf } from "../modules/text-of.ts";

/** The member of an object literal with this name. */
export function memberOf({ properties }: ObjectExpression, name: string): Expression | undefined {
  for (const part of properties) {
    if (part.type === "Property" && keyOf(part) === name) return part.value;
  }
  return undefined;
}

export function textMember(object: ObjectExpression, name: string): string | undefined {
  return textOf(memberOf(object, name));
}

type Property = Extract<ObjectExpression["properties"][number], { type: "Property" }>;

export function keyOf({ key, computed }: Property): string | undefined {
  if (key.type === "Identifier") return computed ? undefined : key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}
