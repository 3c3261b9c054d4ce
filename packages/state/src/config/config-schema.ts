import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { CONFIG_VERSION, PACKS } from "./config.ts";
import { HTTP_SCHEMA } from "./http-config.ts";
import { NATS_SCHEMA } from "./nats-config.ts";
import { closed, SOURCE_SCHEMAS, TEXT } from "./source-schemas.ts";

const PATTERNS: JsonSchemaObject = { type: "array", items: TEXT };

const POLICY = closed({
  read_only: { type: "boolean", description: "Allow only reads" },
  allow: { ...PATTERNS, description: "Allow only these ids, such as issue.*" },
  deny: { ...PATTERNS, description: "Deny these ids" },
  raw: {
    ...PATTERNS,
    description: "Raw operations (those of a source's own API) to allow, such as github.issues.*",
  },
  confirm: { enum: ["none", "destructive", "writes"], description: "Calls that need an approval" },
  approvals: { enum: ["agent", "person"], description: "Who may approve (default: agent)" },
});

function configSchema(source: JsonSchema): JsonSchemaObject {
  return closed({
    $schema: TEXT,
    version: { const: CONFIG_VERSION, description: "Version of the format (default: 1)" },
    sources: {
      type: "object",
      propertyNames: { type: "string", pattern: "^[A-Za-z][\\w-]*$" },
      additionalProperties: source,
    },
    policy: POLICY,
    hosts: closed({
      github: { ...TEXT, description: "The GitHub host, or the address of an embedded GitHub" },
    }),
    packs: {
      type: "array",
      items: { enum: PACKS },
      description: "The enabled built-in packs, such as github (default: all)",
    },
    nats: NATS_SCHEMA,
    expose: { ...PATTERNS, description: "Capabilities that lists show, such as shop.orders.*" },
    state: { ...TEXT, description: "Folder for stored data, such as the journal" },
    http: HTTP_SCHEMA,
    audit: {
      description: "Log each call and its caller as a line of JSON",
      ...closed(
        {
          file: {
            ...TEXT,
            description: "Path of the log file, relative to this configuration file",
          },
        },
        ["file"],
      ),
    },
    replace: {
      type: "array",
      items: TEXT,
      description: "Built-in ids that your own sources replace; not allowed in a project's file",
    },
    history: {
      enum: ["on", "off"],
      description: "Record every call for waybill inspect, as run --record does",
    },
  });
}

/** The JSON Schema of `waybill.config.json`. */
export const ConfigSchema: JsonSchemaObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Waybill configuration",
  ...configSchema({ oneOf: Object.values(SOURCE_SCHEMAS) }),
};

/**
 * The same schema without the members of each kind of source. Those members are checked
 * separately, for a clearer error.
 */
export const FrameSchema: JsonSchemaObject = configSchema({
  type: "object",
  required: ["kind"],
  properties: { kind: { enum: Object.keys(SOURCE_SCHEMAS) } },
});
