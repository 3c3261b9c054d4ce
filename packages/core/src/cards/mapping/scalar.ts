import { Pending } from "./pending.ts";

/** Writes a string, number or boolean as text. Undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof Pending) return `$pending(${value.$pending})`;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
