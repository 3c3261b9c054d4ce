import type { JsonSchemaObject } from "@waybill/core/schema";
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
  readonly limits?: HttpLimitsConfig;
}

/** What a request may cost; what is not said is as `waybill serve http` has it. */
export interface HttpLimitsConfig {
  readonly max_body_bytes?: number;
  readonly max_depth?: number;
  readonly request_ms?: number;
  readonly call_ms?: number;
  readonly per_second?: number;
  readonly burst?: number;
  readonly half_open_ms?: number;
  readonly grace_ms?: number;
}

export interface HttpTokenConfig {
  readonly token: CredentialConfig;
  readonly scopes?: readonly string[];
}

const NAMES: JsonSchemaObject = { type: "array", items: TEXT };
/** A timer that is set to more ends at once. */
const MAX_MS = 2_147_483_647;

function upTo(maximum: number, description: string, minimum = 1): JsonSchemaObject {
  return { type: "integer", minimum, maximum, description };
}

const LIMITS: JsonSchemaObject = {
  description: "What a request may cost",
  ...closed({
    max_body_bytes: upTo(1_073_741_824, "Of one request's body; 1 MiB unless given"),
    max_depth: upTo(512, "How deep JSON may be nested; 64 unless given"),
    request_ms: upTo(MAX_MS, "How long a request may take to arrive; 30 s unless given"),
    call_ms: upTo(MAX_MS, "How long a call may take; 120 s unless given"),
    per_second: upTo(1_000_000, "Requests of a caller in a second, on average; 100 unless given"),
    burst: upTo(1_000_000, "Requests of a caller at once, after a pause; 200 unless given"),
    half_open_ms: upTo(
      MAX_MS,
      "How long who has closed their end is still answered; 5 s unless given",
      0,
    ),
    grace_ms: upTo(MAX_MS, "How long calls may take once the server ends; 10 s unless given", 0),
  }),
};

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
    limits: LIMITS,
  }),
};
