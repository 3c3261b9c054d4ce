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

/** Whether a part has alternatives, which may declare further members. */
function hasForms(part: JsonSchema): boolean {
  return isRecord(part) && ["oneOf", "anyOf", "allOf"].some((name) => part[name] !== undefined);
}

function takesMore(part: JsonSchema): part is Record<string, JsonSchema> {
  return isRecord(part) && (part["additionalProperties"] ?? false) !== false;
}

/** Merges only parts that are objects, because other parts are conditions on the same value. */
function merged(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema) || !Array.isArray(schema["allOf"])) return schema;
  const { allOf, ...own } = schema;
  const given = (allOf as JsonSchema[]).map(merged);
  const parts = [own, ...given];
  const objects = parts.filter((part) => isRecord(part) && isRecord(part["properties"]));
  if (objects.length === 0) return schema;
  const properties = objects.map((part) => (part as Record<string, object>)["properties"]!);
  const required = objects.flatMap((part) => (part as { required?: string[] }).required ?? []);
  const open = parts.find(takesMore);
  const forms = given.filter(hasForms);
  return {
    ...own,
    type: "object",
    properties: Object.assign({}, ...properties) as Record<string, JsonSchema>,
    ...(required.length > 0 && { required }),
    ...(open !== undefined && { additionalProperties: open["additionalProperties"] }),
    ...(forms.length > 0 && { allOf: forms }),
  };
}
