import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { PACKS } from "./config.ts";
import { HTTP_SCHEMA } from "./http-config.ts";
import { NATS_SCHEMA } from "./nats-config.ts";
import { closed, SOURCE_SCHEMAS, TEXT } from "./source-schemas.ts";

const PATTERNS: JsonSchemaObject = { type: "array", items: TEXT };

const POLICY = closed({
  read_only: { type: "boolean", description: "Nothing that changes anything" },
  allow: { ...PATTERNS, description: "Only these ids, such as issue.*" },
  deny: { ...PATTERNS, description: "None of these ids" },
  raw: { ...PATTERNS, description: "Raw operations that stay on, such as github.issues.*" },
  confirm: { enum: ["none", "destructive", "writes"], description: "What needs an approval" },
  approvals: { enum: ["agent", "person"], description: "Who may approve (default: agent)" },
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
    hosts: closed({
      github: { ...TEXT, description: "The GitHub that is meant: a host, or an embedded one" },
    }),
    packs: { type: "array", items: { enum: PACKS }, description: "The packs that are on" },
    nats: NATS_SCHEMA,
    expose: { ...PATTERNS, description: "What lists show of the sources, such as shop.orders.*" },
    state: { ...TEXT, description: "Folder for what outlives a call" },
    http: HTTP_SCHEMA,
    audit: {
      description: "Record who called what, a line of JSON for each call",
      ...closed({ file: { ...TEXT, description: "The file; relative to this one" } }, ["file"]),
    },
    replace: {
      type: "array",
      items: TEXT,
      description: "Built-in ids that your own sources take over; not in a project's file",
    },
    history: { enum: ["on", "off"], description: "Record every call, as run --record does one" },
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
