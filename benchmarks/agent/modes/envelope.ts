import { isRecord } from "@waybill/core/schema";

/** A member of an answer; undefined if it does not exist. */
export function valueAtPath(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), value);
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAtPath(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function textsAt(value: unknown, ...path: readonly string[]): string[] | undefined {
  const found = valueAtPath(value, ...path);
  if (!Array.isArray(found)) return undefined;
  return found.filter((each): each is string => typeof each === "string");
}
