import type { JsonSchemaObject } from "@waybill/core/schema";
import type { CredentialConfig } from "./source-config.ts";
import { CREDENTIAL, TEXT, URL_TEXT, closed } from "./source-schemas.ts";

/** How `waybill serve http` listens, and to whom. */
export interface HttpConfig {
  /** Where to listen; on this machine alone unless given. */
  readonly host?: string;
  readonly port?: number;
  /** Names under which the server may be asked for. */
  readonly hosts?: readonly string[];
  /** Names of the pages that may ask. */
  readonly origins?: readonly string[];
  /** The address that callers know, such as `https://waybill.example`. */
  readonly url?: string;
  /** Serves the page of `waybill inspect` to callers who have a scope (default: no page). */
  readonly page?: { readonly scope: string };
  /** By who has it. */
  readonly tokens?: Readonly<Record<string, HttpTokenConfig>>;
  /** Providers whose tokens sign callers in, by a name that begins the ids of their callers. */
  readonly oidc?: Readonly<Record<string, OidcConfig>>;
  readonly limits?: HttpLimitsConfig;
}

/** What a request may cost; what is not said is as `waybill serve http` has it. */
export interface HttpLimitsConfig extends CallerLimitsConfig {
  readonly max_body_bytes?: number;
  readonly max_depth?: number;
  readonly request_ms?: number;
  readonly call_ms?: number;
  readonly half_open_ms?: number;
  readonly leave_ms?: number;
  readonly grace_ms?: number;
}

/** How much one caller may ask. */
export interface CallerLimitsConfig {
  readonly per_second?: number;
  readonly burst?: number;
  readonly concurrent?: number;
}

export interface HttpTokenConfig {
  readonly token: CredentialConfig;
  readonly scopes?: readonly string[];
  readonly limits?: CallerLimitsConfig;
}

const OIDC_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

/** An OpenID provider. */
export interface OidcConfig {
  readonly issuer: string;
  /** Who a token must be for. */
  readonly audience: string;
  readonly algorithms?: readonly (typeof OIDC_ALGORITHMS)[number][];
  readonly clock_skew_seconds?: number;
  /** The key set, for a provider that describes itself nowhere. */
  readonly jwks_url?: string;
  readonly id_claim?: string;
  readonly scopes_claim?: string;
  readonly limits?: CallerLimitsConfig;
}

const NAMES: JsonSchemaObject = { type: "array", items: TEXT };
/** A timer that is set to more ends at once. */
const MAX_MS = 2_147_483_647;

function upTo(maximum: number, description: string, minimum = 1): JsonSchemaObject {
  return { type: "integer", minimum, maximum, description };
}

const CALLER_LIMITS = {
  per_second: upTo(1_000_000, "Requests of a caller in a second, on average (default: 100)"),
  burst: upTo(1_000_000, "Requests of a caller at once, after a pause (default: 200)"),
  concurrent: upTo(1_000_000, "Requests of a caller that are not answered yet (default: 200)"),
};

const LIMITS: JsonSchemaObject = {
  description: "What a request may cost",
  ...closed({
    ...CALLER_LIMITS,
    max_body_bytes: upTo(1_073_741_824, "Of one request's body; 1 MiB unless given"),
    max_depth: upTo(512, "How deep JSON may be nested; 64 unless given"),
    request_ms: upTo(MAX_MS, "How long a request may take to arrive; 30 s unless given"),
    call_ms: upTo(MAX_MS, "How long a call may take; 120 s unless given"),
    half_open_ms: upTo(
      MAX_MS,
      "How long who has closed their end is still answered; 5 s unless given",
      0,
    ),
    leave_ms: upTo(600_000, "How long it still takes requests when it ends (default: 0)", 0),
    grace_ms: upTo(MAX_MS, "How long calls may take once the server ends; 10 s unless given", 0),
  }),
};

const OIDC = closed(
  {
    issuer: { ...URL_TEXT, description: "As the claim iss has it" },
    audience: { ...TEXT, description: "Who tokens must be for, as the claim aud has it" },
    algorithms: {
      type: "array",
      minItems: 1,
      items: { enum: OIDC_ALGORITHMS },
      description: "Accepted signatures (default: RS256, PS256, ES256, EdDSA)",
    },
    clock_skew_seconds: upTo(600, "How far clocks may differ (default: 30)", 0),
    jwks_url: { ...URL_TEXT, description: "The key set (default: by the issuer's discovery)" },
    id_claim: { ...TEXT, description: "The claim that says who calls (default: sub)" },
    scopes_claim: { ...TEXT, description: "The claim with the scopes (default: scope)" },
    limits: closed(CALLER_LIMITS),
  },
  ["issuer", "audience"],
);

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
      additionalProperties: closed(
        { token: CREDENTIAL, scopes: NAMES, limits: closed(CALLER_LIMITS) },
        ["token"],
      ),
    },
    oidc: {
      type: "object",
      description: "OpenID providers whose tokens sign callers in, by name",
      propertyNames: { type: "string", pattern: "^[a-z][a-z0-9-]{0,30}$" },
      additionalProperties: OIDC,
    },
    page: {
      description: "Serve the page of waybill inspect to callers who have a scope",
      ...closed({ scope: TEXT }, ["scope"]),
    },
    url: { ...URL_TEXT, description: "The address that callers know" },
    limits: LIMITS,
  }),
};
