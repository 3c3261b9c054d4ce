import type { JsonSchema } from "../envelope/index.ts";
import { unquoteDigits } from "../envelope/index.ts";
import { normalise } from "./normalise.ts";

const MANY_DIGITS = /\d{16}/;

/** An input whose texts of digits are marked where an integer is wanted. */
export function markDigits<Value>(schema: JsonSchema, value: Value): Value {
  if (!MANY_DIGITS.test(JSON.stringify(value) ?? "")) return value;
  return normalise(schema, value, { digits: "written" }).value as Value;
}

/** JSON of an input, with texts of digits as numbers where an integer is wanted. */
export function exactJsonFor(schema: JsonSchema, value: unknown): string {
  return unquoteDigits(JSON.stringify(markDigits(schema, value)));
}
