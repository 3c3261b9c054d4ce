import type { JsonSchema, JsonSchemaObject } from "@waybill/core";

const TEXT: JsonSchemaObject = { type: "string", minLength: 1 };
const URL_TEXT: JsonSchemaObject = { type: "string", pattern: "^https?://[^\\s/?#]+" };
const HOST: JsonSchemaObject = { type: "string", pattern: "^[A-Za-z0-9.-]+$" };
const PATTERNS: JsonSchemaObject = { type: "array", items: TEXT };

function closed(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchemaObject {
  return { type: "object", required, properties, additionalProperties: false };
}

const CARDS_SOURCE = closed(
  {
    kind: { const: "cards", description: "A folder of cards" },
    folder: { ...TEXT, description: "The cards; relative to this file" },
    rest: closed({ baseUrl: { ...URL_TEXT, description: "Where REST paths hang below" } }, [
      "baseUrl",
    ]),
    graphql: closed({ url: { ...URL_TEXT, description: "The GraphQL endpoint" } }, ["url"]),
    cli: closed({ program: { enum: ["gh"] }, host: { ...HOST, description: "The host gh asks" } }),
    token: closed({ env: { type: "string", pattern: "^[A-Za-z_]\\w*$" } }, ["env"]),
    host: { ...HOST, description: "The host that the token belongs to" },
  },
  ["kind", "folder"],
);

const POLICY = closed({
  read_only: { type: "boolean", description: "Nothing that changes anything" },
  allow: { ...PATTERNS, description: "Only these ids, such as issue.*" },
  deny: { ...PATTERNS, description: "None of these ids" },
  confirm: { enum: ["none", "destructive", "writes"], description: "What needs an approval" },
});

/** The JSON Schema of `waybill.config.json`. */
export const ConfigSchema: JsonSchemaObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Waybill configuration",
  ...closed({
    $schema: TEXT,
    sources: {
      type: "object",
      propertyNames: { type: "string", pattern: "^[A-Za-z][\\w-]*$" },
      additionalProperties: CARDS_SOURCE,
    },
    policy: POLICY,
    state: { ...TEXT, description: "Folder for what outlives a call" },
  }),
};
