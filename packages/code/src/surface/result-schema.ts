import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";

/** The largest schema to read. Larger ones are cut, and the cut parts may have any members. */
const MAX_SCHEMA_CHARS = 60_000;

const known = new WeakMap<OperationSpec, JsonSchema>();

/**
 * The output schema without references. The parts of an `allOf` are one object in it, so that its
 * members can be listed. Cached.
 */
export function resultSchema(spec: OperationSpec): JsonSchema {
  let schema = known.get(spec);
  if (schema === undefined) {
    schema = merged(projectSchema(spec.outputSchema, MAX_SCHEMA_CHARS).schema);
    known.set(spec, schema);
  }
  return schema;
}

/** Merges only parts that are objects, because other parts are conditions on the same value. */
function merged(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema) || !Array.isArray(schema["allOf"])) return schema;
  const { allOf, ...own } = schema;
  const parts = [own, ...(allOf as JsonSchema[]).map(merged)];
  const objects = parts.filter((part) => isRecord(part) && isRecord(part["properties"]));
  if (objects.length === 0) return schema;
  const properties = objects.map((part) => (part as Record<string, object>)["properties"]!);
  const required = objects.flatMap((part) => (part as { required?: string[] }).required ?? []);
  return {
    ...own,
    type: "object",
    properties: Object.assign({}, ...properties) as Record<string, JsonSchema>,
    ...(required.length > 0 && { required }),
  };
}
