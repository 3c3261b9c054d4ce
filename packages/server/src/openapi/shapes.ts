import { ResultErrorSchema, ResultMetaSchema, projectSchema } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";

/** A longer schema is cut at a depth that fits this limit. */
const MAX_CHARS = 4_000;

export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
export const content = (schema: unknown, type = "application/json"): object => ({
  content: { [type]: { schema } },
});
export const answer = (description: string, schema: unknown, type?: string): object => ({
  description,
  ...content(schema, type),
});
export const FAILED: object = { default: answer("The call failed; see error", ref("Failure")) };

const object = (required: readonly string[], properties: object): object => ({
  type: "object",
  required,
  properties,
});

export function shownSchema(schema: JsonSchema): JsonSchema {
  return projectSchema(schema, MAX_CHARS).schema;
}

/** The answer of a successful call. */
export function getSuccess(data: JsonSchema): object {
  return object(["ok", "data", "error", "meta"], {
    ok: { const: true },
    data,
    error: { type: "null" },
    meta: ref("Meta"),
  });
}

/** The request body of a call. */
export function callBody({ inputSchema }: OperationSpec): object {
  return {
    type: "object",
    properties: { params: shownSchema(inputSchema), options: ref("Options") },
    additionalProperties: false,
  };
}

const TEXTS = { type: "array", items: { type: "string" } };

export const SCHEMAS: Readonly<Record<string, unknown>> = {
  Meta: ResultMetaSchema,
  Error: ResultErrorSchema,
  Failure: object(["ok", "data", "error", "meta"], {
    ok: { const: false },
    data: { type: "null" },
    error: ref("Error"),
    meta: ref("Meta"),
  }),
  Success: getSuccess(true),
  Options: {
    type: "object",
    description: "Options of a call besides its params",
    properties: {
      trace: { type: "boolean" },
      max_tokens: { type: "integer", minimum: 200 },
      select: TEXTS,
      brief: { type: "boolean" },
      query: { type: "string", description: "A JMESPath expression, applied to the data" },
      page: {
        type: "object",
        properties: { cursor: { type: "string" }, limit: { type: "integer" } },
      },
      include: TEXTS,
      deadline_ms: { type: "number", exclusiveMinimum: 0 },
      idempotency_key: { type: "string" },
      route: { enum: ["cli", "graphql", "rest", "mcp", "local"] },
      account: { type: "string", description: "A connected account of the source" },
      dry_run: { type: "boolean" },
      approve: { type: "string" },
    },
    additionalProperties: false,
  },
  Chain: object(["steps"], {
    steps: {
      type: "array",
      maxItems: 100,
      items: object(["task"], {
        task: { type: "string" },
        input: { type: "object" },
        id: { type: "string" },
        when: { type: "string" },
        idempotency_key: { type: "string" },
        account: { type: "string" },
        approve: { type: "string" },
      }),
    },
    options: { type: "object" },
  }),
  ChainResult: object(["status", "results", "error", "meta"], {
    status: { enum: ["success", "partial", "failed"] },
    results: { type: "array", items: { anyOf: [ref("Success"), ref("Failure")] } },
    error: { anyOf: [ref("Error"), { type: "null" }] },
    meta: { type: "object" },
  }),
  Capability: object(["capability_id", "description"], {
    capability_id: { type: "string" },
    description: { type: "string" },
  }),
  Explanation: object(["capability_id", "purpose", "effect", "required_inputs"], {
    capability_id: { type: "string" },
    purpose: { type: "string" },
    effect: { enum: ["read", "write", "destructive"] },
    required_inputs: TEXTS,
    optional_inputs: TEXTS,
    output_fields: TEXTS,
    preferred_route: { type: "string" },
    fallback_routes: TEXTS,
    accounts: TEXTS,
    notes: TEXTS,
  }),
};
