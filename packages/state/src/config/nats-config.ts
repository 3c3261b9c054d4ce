import type { JsonSchemaObject } from "@waybill/core/schema";
import type { CredentialConfig } from "./source-config.ts";
import { CREDENTIAL, TEXT, closed } from "./source-schemas.ts";

/** How to reach a service on NATS, and how to serve one. */
export interface NatsConfig {
  /** The address `nats://host:port`, or several addresses of one cluster. */
  readonly servers?: string | readonly string[];
  /** The service name that all workers share. */
  readonly service?: string;
  /** How many servers of the cluster keep a copy of the journal. */
  readonly replicas?: number;
  /** The secret that signs the identity of callers. */
  readonly key?: CredentialConfig;
  /** The identity of calls from this machine. */
  readonly identity?: { readonly id: string; readonly scopes: readonly string[] };
}

const SERVER: JsonSchemaObject = { type: "string", pattern: "^(nats|tls)://[^\\s/?#]+" };

export const NATS_SCHEMA: JsonSchemaObject = {
  description: "A service on NATS, for serve nats and run --via",
  ...closed({
    servers: {
      description: "nats://host:port, or several of one cluster",
      oneOf: [SERVER, { type: "array", items: SERVER, minItems: 1 }],
    },
    service: {
      type: "string",
      pattern: "^[A-Za-z0-9_-]{1,64}$",
      description: "Name of the service, the same for all its workers",
    },
    replicas: {
      type: "integer",
      minimum: 1,
      maximum: 5,
      description:
        "Number of servers that keep the journal (default: as many as the cluster has, up to 3)",
    },
    key: {
      ...CREDENTIAL,
      description: "The secret that signs callers' identities; at least 16 characters",
    },
    identity: {
      description: "The caller that signed calls from this machine name",
      ...closed(
        {
          id: { ...TEXT, description: "Id of the caller" },
          scopes: { type: "array", items: TEXT, description: "Scopes of the caller" },
        },
        ["id", "scopes"],
      ),
    },
  }),
};
