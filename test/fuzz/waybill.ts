import { createWaybill, defineOperation, memoryJournal } from "@waybill/core";
import type { JsonSchema, Waybill } from "@waybill/core";

const TYPED: JsonSchema = {
  type: "object",
  required: ["id"],
  additionalProperties: false,
  patternProperties: { "^(x+)+$": { type: "string" } },
  properties: {
    id: { type: "integer" },
    title: { type: "string", pattern: "^(a|b|ab)*$", maxLength: 20 },
    either: { oneOf: [{ type: "string" }, { type: "array", items: { $ref: "#" } }] },
    state: { enum: ["open", "closed"], default: "open" },
  },
};

function echo(input: unknown): unknown {
  return input;
}

/** A few operations that return their input. */
export function fuzzedWaybill(): Waybill {
  return createWaybill({
    journal: memoryJournal(),
    operations: [
      defineOperation({ id: "value.any", description: "Repeats", effect: "read", handler: echo }),
      defineOperation({ id: "value.write", description: "Writes", effect: "write", handler: echo }),
      defineOperation({
        id: "value.typed",
        description: "Is strict",
        effect: "read",
        input: TYPED,
        output: TYPED,
        handler: echo,
      }),
    ],
  });
}

/** An API with a read and a write. */
export const DESCRIPTION = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  servers: [{ url: "https://things.example" }],
  paths: {
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        operationId: "getThing",
        parameters: [{ name: "fields", in: "query", schema: { type: "array", items: {} } }],
        responses: {
          200: {
            description: "A thing",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
      put: {
        operationId: "putThing",
        security: [{ key: [] }],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
        },
        responses: { 204: { description: "Done" } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } },
    schemas: {
      Thing: {
        type: "object",
        properties: {
          id: { type: "integer" },
          name: { type: "string", pattern: "^[a-z]+$" },
          parent: { $ref: "#/components/schemas/Thing" },
        },
      },
    },
  },
};

/** A card that sends a GET and maps the answer. */
export const CARD = {
  capability_id: "thing.view",
  version: "1.0.0",
  description: "View a thing",
  effect: "read",
  input_schema: {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  },
  output_schema: { type: "object", properties: { id: { type: "integer" } } },
  routing: { preferred: "rest" },
  rest: { method: "GET", path: "/things/{id}", output: { id: "id" } },
};
