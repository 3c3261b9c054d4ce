import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import type { OperationBody } from "./operation-body.ts";
import type { Parameter } from "./parameters.ts";
import { asRecord } from "../document/raw.ts";
import type { SchemaRegistry } from "../document/schema-registry.ts";

export const BODY = "body";
export const CONTENT_TYPE = "content_type";

/** A parameter, with the name that callers use for it. */
export interface NamedParameter {
  readonly key: string;
  readonly parameter: Parameter;
}

/** The plain name, or `query.x` if the body or another kind of parameter has the same name. */
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

function describedInput(schema: JsonSchema, description: string | undefined): JsonSchema {
  if (description === undefined || !isRecord(schema)) return schema;
  return { ...schema, description };
}

const SIZES = ["minLength", "minItems", "minProperties"];

/** A path parameter must not be empty, because an empty segment would change the path. */
function filled(schema: JsonSchema): JsonSchema {
  if (schema === true) return Object.fromEntries(SIZES.map((keyword) => [keyword, 1]));
  if (!isRecord(schema)) return schema;
  const sizes = SIZES.map((keyword) => [keyword, Math.max(1, Number(schema[keyword] ?? 0))]);
  return { ...schema, ...(Object.fromEntries(sizes) as Record<string, number>) };
}

/** Treats an object without members as text, because some tools write text that way. */
function textual(converted: JsonSchema, raw: unknown): JsonSchema {
  const { type, properties, additionalProperties } = asRecord(raw);
  const members = Object.values(asRecord(properties));
  const hasNone = members.every((member) => asRecord(member)["readOnly"] === true);
  const isEmpty = hasNone && additionalProperties === false;
  return type === "object" && isEmpty ? { type: "string" } : converted;
}

function parameterSchema(
  { in: place, schema, description }: Parameter,
  schemas: SchemaRegistry,
  used: Set<string>,
): JsonSchema {
  const converted = textual(schemas.convert(schema, used), schemas.resolved(schema));
  return describedInput(place === "path" ? filled(converted) : converted, description);
}

/** Each media type of the body with its schema. Media types with the same schema are grouped. */
function bodyForms(
  { media }: OperationBody,
  schemas: SchemaRegistry,
  used: Set<string>,
): { schema: JsonSchema; types: string[] }[] {
  const forms = new Map<string, { schema: JsonSchema; types: string[] }>();
  for (const { schema: raw, mediaType } of media) {
    const schema = schemas.convert(raw, used);
    const key = JSON.stringify(schema);
    const form = forms.get(key) ?? { schema, types: [] };
    form.types.push(mediaType);
    forms.set(key, form);
  }
  return [...forms.values()];
}

/** The body, and the media type if there is a choice. Each schema is tied to its media types. */
function bodyInputs(
  body: OperationBody,
  schemas: SchemaRegistry,
  used: Set<string>,
): { properties: Record<string, JsonSchema>; anyOf?: JsonSchema[] } {
  const forms = bodyForms(body, schemas, used);
  const types = body.media.map(({ mediaType }) => mediaType);
  const choice = { [CONTENT_TYPE]: { enum: types, "x-default": types[0] } };
  const [first] = forms;
  const whole = forms.length === 1 ? first!.schema : { anyOf: forms.map(({ schema }) => schema) };
  const properties = {
    [BODY]: describedInput(whole, body.description),
    ...(types.length > 1 && choice),
  };
  if (forms.length === 1) return { properties };
  const anyOf = forms.map(({ schema, types: own }, index) => ({
    properties: { [BODY]: schema, [CONTENT_TYPE]: { enum: own } },
    ...(index > 0 && { required: [CONTENT_TYPE] }),
  }));
  return { properties, anyOf };
}

/** All inputs of a call, as one object schema. */
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
  if (body?.isRequired === true) required.push(BODY);
  const inputs = body === undefined ? undefined : bodyInputs(body, schemas, used);
  const schema = {
    type: "object",
    properties: { ...properties, ...inputs?.properties },
    required,
    additionalProperties: false,
    ...(inputs?.anyOf !== undefined && { anyOf: inputs.anyOf }),
  };
  return schemas.whole(schema, used);
}
