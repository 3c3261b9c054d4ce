import type { JsonSchema } from "../envelope/index.ts";
import { unquoteDigits } from "../envelope/index.ts";
import { normalise } from "./normalise.ts";

const MANY_DIGITS = /\d{16}/;

/** Marks strings of digits in an input where the schema requires an integer. */
export function markDigits<Value>(schema: JsonSchema, value: Value): Value {
  if (!MANY_DIGITS.test(JSON.stringify(value) ?? "")) return value;
  return normalise(schema, value, { digits: "written" }).value as Value;
}

/**
 * Writes an input as JSON. Strings of digits become numbers where the schema requires an
 * integer.
 */
export function exactJsonFor(schema: JsonSchema, value: unknown): string {
  return unquoteDigits(JSON.stringify(markDigits(schema, value)));
}
