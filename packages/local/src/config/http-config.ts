import type { JsonSchemaObject } from "@waybill/core";
import type { CredentialConfig } from "./source-config.ts";
import { CREDENTIAL, TEXT, closed } from "./source-schemas.ts";

/** How `waybill serve http` listens, and to whom. */
export interface HttpConfig {
  /** Where to listen; on this machine alone unless given. */
  readonly host?: string;
  readonly port?: number;
  /** Names under which the server may be asked for. */
  readonly hosts?: readonly string[];
  /** Names of the pages that may ask. */
  readonly origins?: readonly string[];
  /** By who has it. */
  readonly tokens?: Readonly<Record<string, HttpTokenConfig>>;
}

export interface HttpTokenConfig {
  readonly token: CredentialConfig;
  readonly scopes?: readonly string[];
}

const NAMES: JsonSchemaObject = { type: "array", items: TEXT };

export const HTTP_SCHEMA: JsonSchemaObject = {
  description: "How waybill serve http listens, and to whom",
  ...closed({
    host: { ...TEXT, description: "Where to listen; 127.0.0.1 unless given" },
    port: { type: "integer", minimum: 0, maximum: 65_535 },
    hosts: { ...NAMES, description: "Names under which it may be asked for, without ports" },
    origins: { ...NAMES, description: "Names of the pages that may ask, without ports" },
    tokens: {
      type: "object",
      description: "Bearer tokens by who has them",
      additionalProperties: closed({ token: CREDENTIAL, scopes: NAMES }, ["token"]),
    },
  }),
};
