import { isRecord } from "@waybill/core";
import type { JsonSchema, JsonSchemaObject } from "@waybill/core";
import type { OperationBody } from "./operation-body.ts";
import type { Parameter } from "./parameters.ts";
import { recordOf } from "./raw.ts";
import type { SchemaRegistry } from "./schema-registry.ts";

export const BODY = "body";
export const CONTENT_TYPE = "content_type";

/** A parameter and the name by which a caller gives it. */
export interface NamedParameter {
  readonly key: string;
  readonly parameter: Parameter;
}

/** The plain name, or `query.x` where another place, or the body, has the same. */
export function namedParameters(
  parameters: readonly Parameter[],
  body: OperationBody | undefined,
): NamedParameter[] {
  const counts = new Map<string, number>();
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (body !== undefined) for (const name of [BODY, CONTENT_TYPE]) counts.set(name, 2);
  return parameters.map((parameter) => {
    const isAlone = counts.get(parameter.name) === 1;
    const key = isAlone ? parameter.name : `${parameter.in}.${parameter.name}`;
    return { key, parameter };
  });
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  if (description === undefined || !isRecord(schema)) return schema;
  return { ...schema, description };
}

const SIZES = ["minLength", "minItems", "minProperties"];

/** What stands in a path must be something, or the path would be another. */
function filled(schema: JsonSchema): JsonSchema {
  if (schema === true) return Object.fromEntries(SIZES.map((keyword) => [keyword, 1]));
  if (!isRecord(schema)) return schema;
  const sizes = SIZES.map((keyword) => [keyword, Math.max(1, Number(schema[keyword] ?? 0))]);
  return { ...schema, ...(Object.fromEntries(sizes) as Record<string, number>) };
}

/** An object that cannot have members stands for a text that someone's tool made an object of. */
function textual(converted: JsonSchema, raw: unknown): JsonSchema {
  const { type, properties, additionalProperties } = recordOf(raw);
  const members = Object.values(recordOf(properties));
  const hasNone = members.every((member) => recordOf(member)["readOnly"] === true);
  const isEmpty = hasNone && additionalProperties === false;
  return type === "object" && isEmpty ? { type: "string" } : converted;
}

function parameterSchema(
  { in: place, schema, description }: Parameter,
  schemas: SchemaRegistry,
  used: Set<string>,
): JsonSchema {
  const converted = textual(schemas.convert(schema, used), schemas.resolved(schema));
  return described(place === "path" ? filled(converted) : converted, description);
}

function bodySchema(body: OperationBody, schemas: SchemaRegistry, used: Set<string>): JsonSchema {
  const forms = new Map<string, JsonSchema>();
  for (const media of body.media) {
    const schema = schemas.convert(media.schema, used);
    forms.set(JSON.stringify(schema), schema);
  }
  const [first = true, ...others] = forms.values();
  const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
  return described(schema, body.description);
}

/** Everything a call takes, as one object. */
export function inputSchema(
  parameters: readonly NamedParameter[],
  body: OperationBody | undefined,
  schemas: SchemaRegistry,
): JsonSchemaObject {
  const used = new Set<string>();
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { key, parameter } of parameters) {
    properties[key] = parameterSchema(parameter, schemas, used);
    if (parameter.isRequired) required.push(key);
  }
  if (body !== undefined) {
    properties[BODY] = bodySchema(body, schemas, used);
    if (body.isRequired) required.push(BODY);
    const types = body.media.map(({ mediaType }) => mediaType);
    if (types.length > 1) {
      properties[CONTENT_TYPE] = { enum: types, "x-default": types[0] };
    }
  }
  const schema = { type: "object", properties, required, additionalProperties: false };
  return schemas.whole(schema, used);
}
