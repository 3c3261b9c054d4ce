import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { toGeminiSchema } from "./gemini-schema.ts";
import { toObjectSchema } from "./object-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";
import type { ToolFormat } from "./formats.ts";
import { withFittingNames } from "./property-names.ts";
import type { NamedInput } from "./property-names.ts";

/** The maximum length, because a model reads the inputs of every tool in every session. */
const MAX_CHARS = 6_000;

/** Adds `items`, because some providers refuse a list without them. */
function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isRecord(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withItems(value)]),
  );
  return copy["type"] === "array" && copy["items"] === undefined ? { ...copy, items: {} } : copy;
}

/**
 * A schema that the client's models accept: without references, with an object at its root, and
 * without refused keywords. Removed parts are still validated, because the call uses the whole
 * schema.
 */
export function projectInput(schema: JsonSchema, formats: readonly ToolFormat[]): NamedInput {
  const root = toObjectSchema(projectSchema(schema, MAX_CHARS).schema);
  return withFittingNames(inForm(root, formats));
}

function inForm(root: ObjectSchema, formats: readonly ToolFormat[]): ObjectSchema {
  if (formats.includes("gemini")) return toGeminiSchema(root);
  return formats.includes("openai") ? (withItems(root) as ObjectSchema) : root;
}
