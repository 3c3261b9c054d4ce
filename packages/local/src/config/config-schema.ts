import type { JsonSchema, JsonSchemaObject } from "@waybill/core";
import { closed, CREDENTIAL, SOURCE_SCHEMAS, TEXT } from "./source-schemas.ts";

const PATTERNS: JsonSchemaObject = { type: "array", items: TEXT };

const POLICY = closed({
  read_only: { type: "boolean", description: "Nothing that changes anything" },
  allow: { ...PATTERNS, description: "Only these ids, such as issue.*" },
  deny: { ...PATTERNS, description: "None of these ids" },
  confirm: { enum: ["none", "destructive", "writes"], description: "What needs an approval" },
});

const NATS_URL: JsonSchemaObject = { type: "string", pattern: "^(nats|tls)://[^\\s/?#]+" };

const NATS = closed({
  servers: {
    description: "nats://host:port, or several of one cluster",
    oneOf: [NATS_URL, { type: "array", items: NATS_URL, minItems: 1 }],
  },
  service: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", description: "Of all workers" },
  key: { ...CREDENTIAL, description: "The secret that signs who calls; at least 16 characters" },
  identity: {
    ...closed({ id: TEXT, scopes: { type: "array", items: TEXT } }, ["id", "scopes"]),
    description: "Who calls from here",
  },
});

function configSchema(source: JsonSchema): JsonSchemaObject {
  return closed({
    $schema: TEXT,
    sources: {
      type: "object",
      propertyNames: { type: "string", pattern: "^[A-Za-z][\\w-]*$" },
      additionalProperties: source,
    },
    policy: POLICY,
    expose: { ...PATTERNS, description: "What lists show of the sources, such as shop.orders.*" },
    nats: { ...NATS, description: "A service on NATS: serve nats, run --via" },
    state: { ...TEXT, description: "Folder for what outlives a call" },
  });
}

/** The JSON Schema of `waybill.config.json`. */
export const ConfigSchema: JsonSchemaObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Waybill configuration",
  ...configSchema({ oneOf: Object.values(SOURCE_SCHEMAS) }),
};

/** The same but for what each kind of source says, which is checked by itself and told better. */
export const FrameSchema: JsonSchemaObject = configSchema({
  type: "object",
  required: ["kind"],
  properties: { kind: { enum: Object.keys(SOURCE_SCHEMAS) } },
});
