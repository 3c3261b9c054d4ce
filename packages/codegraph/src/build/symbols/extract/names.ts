import type { PropertyKey } from "oxc-parser";

/** The name of a property key, if it is a literal. */
export function nameOfKey(key: PropertyKey, computed: boolean): string | undefined {
  if (key.type === "Identifier") return computed ? undefined : key.name;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  if (key.type === "Literal") return typeof key.value === "object" ? undefined : String(key.value);
  return undefined;
}
