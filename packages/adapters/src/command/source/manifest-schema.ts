import { ERROR_CODES } from "@waybill/core";
import { EFFECTS } from "@waybill/core/cards";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { OUTPUTS } from "./manifest.ts";

const TEXT: JsonSchemaObject = { type: "string", minLength: 1 };
const WORDS: JsonSchemaObject = { type: "array", items: { type: "string" }, minItems: 1 };
const SCHEMA: JsonSchemaObject = { type: ["object", "boolean"] };

/** The JSON Schema of one operation in a manifest. */
export const ManifestOperationSchema: JsonSchemaObject = {
  type: "object",
  required: ["description", "argv"],
  additionalProperties: false,
  properties: {
    description: TEXT,
    guess: { type: "boolean" },
    effect: { enum: EFFECTS },
    idempotent: { type: "boolean" },
    argv: { type: "array", items: { anyOf: [{ type: "string" }, WORDS] } },
    input: { type: "object", additionalProperties: SCHEMA },
    required: { type: "array", items: TEXT },
    stdin: TEXT,
    output: { enum: OUTPUTS },
    output_schema: SCHEMA,
    exit_codes: {
      type: "object",
      propertyNames: { type: "string", pattern: "^[0-9]{1,3}$" },
      additionalProperties: { enum: Object.keys(ERROR_CODES) },
    },
    timeout_ms: { type: "integer", minimum: 1 },
  },
};

/** The JSON Schema of a manifest. Its operations are checked one by one. */
export const ManifestSchema: JsonSchemaObject = {
  type: "object",
  required: ["program", "operations"],
  additionalProperties: false,
  properties: {
    $schema: TEXT,
    program: TEXT,
    env: { type: "array", items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } },
    operations: { type: "object", propertyNames: { type: "string", pattern: "^[A-Za-z][\\w-]*$" } },
  },
};
