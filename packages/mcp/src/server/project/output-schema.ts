import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

const MAX_CHARS = 8_000;
/** What an answer that was cut to fit may no longer keep. */
const STRICT = new Set([
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "minItems",
  "minLength",
  "minProperties",
  "pattern",
  "format",
  "dependentRequired",
  "contains",
  "uniqueItems",
]);

function relaxed(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => relaxed(item));
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema)
    .filter(([key]) => isMap || !STRICT.has(key))
    .map(([key, value]): [string, unknown] => [
      key,
      key === "enum" || key === "const" || key === "default" || key === "examples"
        ? value
        : relaxed(value, !isMap && key === "properties"),
    ]);
  return Object.fromEntries(members);
}

/**
 * What a capability answers, as a tool's output schema, or undefined where nothing is known or it
 * would be too long to be whole. Clients drop an answer that breaks it, and whoever does not hear
 * that a write was applied may repeat it: so it says what is meant to come and takes any object.
 */
export function projectOutput(schema: JsonSchema): Record<string, unknown> | undefined {
  const { schema: whole, truncated } = projectSchema(schema, MAX_CHARS);
  if (!isRecord(whole) || truncated || whole["type"] !== "object") return undefined;
  const { $defs, definitions, ...meant } = relaxed(whole) as Record<string, unknown>;
  return {
    type: "object",
    anyOf: [meant, {}],
    // References are read from the root.
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
