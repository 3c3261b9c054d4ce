import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, Operation } from "@waybill/core";

/**
 * Older names of output fields, with the common name. Answers contain both, because callers may use
 * the older one.
 */
export const SAME_NAMES: Readonly<Record<string, string>> = {
  authorLogin: "author",
  contentNumber: "number",
  contentTitle: "title",
  contentUrl: "url",
  draft: "isDraft",
  issueNumber: "number",
  link: "url",
  prNumber: "number",
  public: "isPublic",
  sha: "oid",
  tagName: "tag",
};

/** The fields that are added to an object and to its parts. */
interface Plan {
  readonly gains: readonly (readonly [older: string, name: string])[];
  readonly parts: readonly (readonly [key: string, plan: Plan])[];
  readonly items?: Plan;
}

const MAX_DEPTH = 8;

function schemaProperties(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return (isRecord(properties) ? properties : {}) as Readonly<Record<string, JsonSchema>>;
}

function planFor(schema: JsonSchema, depth = 0): Plan | undefined {
  if (depth > MAX_DEPTH || !isRecord(schema)) return undefined;
  const properties = schemaProperties(schema);
  const gains = Object.entries(SAME_NAMES).filter(
    ([older, name]) => Object.hasOwn(properties, older) && !Object.hasOwn(properties, name),
  );
  const parts = Object.entries(properties).flatMap(([key, part]) => {
    const plan = planFor(part, depth + 1);
    return plan === undefined ? [] : [[key, plan] as const];
  });
  const items = planFor((schema["items"] ?? false) as JsonSchema, depth + 1);
  if (gains.length === 0 && parts.length === 0 && items === undefined) return undefined;
  return { gains, parts, ...(items !== undefined && { items }) };
}

function withNames(value: unknown, plan: Plan): unknown {
  const { gains, parts, items } = plan;
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((item: unknown) => withNames(item, items));
  }
  if (!isRecord(value)) return value;
  const named: Record<string, unknown> = { ...value };
  for (const [key, part] of parts) if (key in named) named[key] = withNames(named[key], part);
  for (const [older, name] of gains) if (older in named) named[name] ??= named[older];
  return named;
}

function schemaWithNames(schema: JsonSchema, plan: Plan): JsonSchema {
  if (!isRecord(schema)) return schema;
  const properties: Record<string, JsonSchema> = { ...schemaProperties(schema) };
  for (const [key, part] of plan.parts) properties[key] = schemaWithNames(properties[key]!, part);
  for (const [older, name] of plan.gains) properties[name] = properties[older]!;
  const items = plan.items && schemaWithNames(schema["items"] as JsonSchema, plan.items);
  const hasProperties = Object.keys(properties).length > 0;
  return {
    ...schema,
    ...(hasProperties && { properties }),
    ...(items !== undefined && { items }),
  };
}

/** An output schema with the common names beside the older ones. */
export function namedOutput(schema: JsonSchema): JsonSchema {
  const plan = planFor(schema);
  return plan === undefined ? schema : schemaWithNames(schema, plan);
}

/** An operation whose answers also use the common field names. */
export function withSameNames(operation: Operation): Operation {
  const { spec } = operation;
  const plan = planFor(spec.outputSchema);
  if (plan === undefined) return operation;
  const outputSchema = schemaWithNames(spec.outputSchema, plan);
  const normaliseOutput = (data: unknown): unknown => withNames(data, plan);
  return { ...operation, spec: { ...spec, outputSchema, normaliseOutput } };
}
