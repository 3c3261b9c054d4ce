import { isRecord } from "@waybill/core/schema";
import type { Operation } from "@waybill/core";

function schemaProperties(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

const LAST_PAGE = { hasNextPage: false, endCursor: null };

/** Marks a list that GitHub sends in one answer as complete, like the last page of other lists. */
export function withLastPage(operation: Operation): Operation {
  const { spec } = operation;
  const isList = Object.hasOwn(schemaProperties(spec.outputSchema), "items");
  if (!isList || Object.hasOwn(schemaProperties(spec.inputSchema), "first")) return operation;
  const { normaliseOutput = (data: unknown) => data } = spec;
  const whole = (data: unknown): unknown => {
    const normal = normaliseOutput(data);
    return isRecord(normal) ? { pageInfo: LAST_PAGE, ...normal } : normal;
  };
  return { ...operation, spec: { ...spec, normaliseOutput: whole } };
}
