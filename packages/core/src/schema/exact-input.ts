import type { JsonSchema } from "../envelope/index.ts";
import { unquoteDigits } from "../envelope/index.ts";
import { normalise } from "./normalise.ts";

const MANY_DIGITS = /\d{16}/;

/** An input with digit strings marked where the schema wants an integer. */
export function markDigits<Value>(schema: JsonSchema, value: Value): Value {
  if (!MANY_DIGITS.test(JSON.stringify(value) ?? "")) return value;
  return normalise(schema, value, { digits: "written" }).value as Value;
}

/** JSON of an input, with digit strings as numbers where the schema wants an integer. */
export function exactJsonFor(schema: JsonSchema, value: unknown): string {
  return unquoteDigits(JSON.stringify(markDigits(schema, value)));
}
