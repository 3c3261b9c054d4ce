import type { Expression, ObjectExpression } from "oxc-parser";
import { literalText } from "../modules/literal-text.ts";

/** The member of an object literal with this name. */
export function objectMember(
  { properties }: ObjectExpression,
  name: string,
): Expression | undefined {
  for (const part of properties) {
    if (part.type === "Property" && propertyKey(part) === name) return part.value;
  }
  return undefined;
}

export function textMember(object: ObjectExpression, name: string): string | undefined {
  return literalText(objectMember(object, name));
}

type Property = Extract<ObjectExpression["properties"][number], { type: "Property" }>;

export function propertyKey({ key, computed }: Property): string | undefined {
  if (key.type === "Identifier") return computed ? undefined : key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}
