import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { toGeminiSchema } from "./gemini-schema.ts";
import { toObjectSchema } from "./object-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";
import type { ToolFormat } from "./formats.ts";
import { withFittingNames } from "./property-names.ts";
import type { NamedInput } from "./property-names.ts";

/** A tool's input is read by a model in every session, so it has to be short. */
const MAX_CHARS = 6_000;

/** Some providers refuse a list that does not say of what. */
function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isRecord(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withItems(value)]),
  );
  return copy["type"] === "array" && copy["items"] === undefined ? { ...copy, items: {} } : copy;
}

/**
 * A schema as the client's models take it: without references, an object at its root, and no word
 * they refuse. Parts dropped here are still checked, because the call itself has the whole schema.
 */
export function projectInput(schema: JsonSchema, formats: readonly ToolFormat[]): NamedInput {
  const root = toObjectSchema(projectSchema(schema, MAX_CHARS).schema);
  return withFittingNames(inForm(root, formats));
}

function inForm(root: ObjectSchema, formats: readonly ToolFormat[]): ObjectSchema {
  if (formats.includes("gemini")) return toGeminiSchema(root);
  return formats.includes("openai") ? (withItems(root) as ObjectSchema) : root;
}
