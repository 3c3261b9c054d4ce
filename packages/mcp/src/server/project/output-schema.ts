import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";

const MAX_CHARS = 8_000;
/** Keywords that a truncated answer may violate. */
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
 * Converts the output of a capability to a tool's output schema. Undefined if it is unknown or
 * too long. Clients drop an answer that violates the schema, and might then repeat a write that
 * was applied. So the schema describes the output but accepts any object.
 */
export function projectOutput(schema: JsonSchema): Record<string, unknown> | undefined {
  const { schema: whole, truncated } = projectSchema(schema, MAX_CHARS);
  if (!isRecord(whole) || truncated || whole["type"] !== "object") return undefined;
  const { $defs, definitions, ...meant } = relaxed(whole) as Record<string, unknown>;
  return {
    type: "object",
    anyOf: [meant, {}],
    // Keeps the definitions at the root, because references are resolved from there.
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
