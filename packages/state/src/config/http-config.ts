import type { JsonSchemaObject } from "@waybill/core/schema";
import type { CredentialConfig } from "./source-config.ts";
import { CREDENTIAL, TEXT, URL_TEXT, closed } from "./source-schemas.ts";

/** Settings of `waybill serve http`. */
export interface HttpConfig {
  /** The address to listen on (default: only this machine). */
  readonly host?: string;
  readonly port?: number;
  /** Host names that requests may use for this server. */
  readonly hosts?: readonly string[];
  /** Origins of the web pages that may send requests. */
  readonly origins?: readonly string[];
  /** The public address of the server, such as `https://waybill.example`. */
  readonly url?: string;
  /** Serves the page of `waybill inspect` to callers who have this scope (default: no page). */
  readonly page?: { readonly scope: string };
  /** Tokens by the name of their owner. */
  readonly tokens?: Readonly<Record<string, HttpTokenConfig>>;
  /** Providers whose tokens identify callers. The key is the prefix of the callers' ids. */
  readonly oidc?: Readonly<Record<string, OidcConfig>>;
  readonly limits?: HttpLimitsConfig;
}

/** The limits of a request (default: those of `waybill serve http`). */
export interface HttpLimitsConfig extends CallerLimitsConfig {
  readonly max_body_bytes?: number;
  readonly max_depth?: number;
  readonly request_ms?: number;
  readonly call_ms?: number;
  readonly half_open_ms?: number;
  readonly leave_ms?: number;
  readonly grace_ms?: number;
}

/** The limits of one caller. */
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
  /** The audience that a token must be issued for. */
  readonly audience: string;
  readonly algorithms?: readonly (typeof OIDC_ALGORITHMS)[number][];
  readonly clock_skew_seconds?: number;
  /** The URL of the key set, for a provider without a discovery document. */
  readonly jwks_url?: string;
  readonly id_claim?: string;
  readonly scopes_claim?: string;
  readonly limits?: CallerLimitsConfig;
}

const NAMES: JsonSchemaObject = { type: "array", items: TEXT };
/** The longest delay of a timer. With a larger delay, Node's timers fire immediately. */
const MAX_MS = 2_147_483_647;

function upTo(maximum: number, description: string, minimum = 1): JsonSchemaObject {
  return { type: "integer", minimum, maximum, description };
}

const CALLER_LIMITS = {
  per_second: upTo(1_000_000, "Maximum requests per second of a caller, on average (default: 100)"),
  burst: upTo(1_000_000, "How many requests a caller may send at once (default: 200)"),
  concurrent: upTo(
    1_000_000,
    "How many requests of a caller may run at the same time (default: 200)",
  ),
};

const LIMITS: JsonSchemaObject = {
  description: "Limits of a request",
  ...closed({
    ...CALLER_LIMITS,
    max_body_bytes: upTo(1_073_741_824, "Maximum size of a request's body (default: 1 MiB)"),
    max_depth: upTo(512, "Maximum depth of nested JSON (default: 64)"),
    request_ms: upTo(MAX_MS, "How long a request may take to arrive (default: 30 s)"),
    call_ms: upTo(MAX_MS, "How long a call may take (default: 120 s)"),
    half_open_ms: upTo(
      MAX_MS,
      "How long a client that has closed its end of the connection is still answered (default: 5 s)",
      0,
    ),
    leave_ms: upTo(
      600_000,
      "How long a server that is told to stop still accepts requests (default: 0)",
      0,
    ),
    grace_ms: upTo(
      MAX_MS,
      "How long running calls may take when the server stops (default: 10 s)",
      0,
    ),
  }),
};

const OIDC = closed(
  {
    issuer: { ...URL_TEXT, description: "The issuer, as in the claim iss" },
    audience: { ...TEXT, description: "The audience, as in the claim aud" },
    algorithms: {
      type: "array",
      minItems: 1,
      items: { enum: OIDC_ALGORITHMS },
      description: "Accepted signature algorithms (default: RS256, PS256, ES256, EdDSA)",
    },
    clock_skew_seconds: upTo(600, "Allowed clock difference in seconds (default: 30)", 0),
    jwks_url: {
      ...URL_TEXT,
      description: "URL of the key set (default: from the issuer's discovery document)",
    },
    id_claim: { ...TEXT, description: "The claim with the caller's id (default: sub)" },
    scopes_claim: { ...TEXT, description: "The claim with the scopes (default: scope)" },
    limits: { description: "Limits of each caller", ...closed(CALLER_LIMITS) },
  },
  ["issuer", "audience"],
);

export const HTTP_SCHEMA: JsonSchemaObject = {
  description: "Settings of waybill serve http",
  ...closed({
    host: { ...TEXT, description: "Address to listen on (default: 127.0.0.1)" },
    port: {
      type: "integer",
      minimum: 0,
      maximum: 65_535,
      description: "Port to listen on; 0 takes a free one",
    },
    hosts: { ...NAMES, description: "Host names that the server answers to, without ports" },
    origins: { ...NAMES, description: "Origins that may send requests, without ports" },
    tokens: {
      type: "object",
      description: "Bearer tokens by caller",
      additionalProperties: closed(
        {
          token: CREDENTIAL,
          scopes: { ...NAMES, description: "Scopes of the caller" },
          limits: { description: "Limits of the caller", ...closed(CALLER_LIMITS) },
        },
        ["token"],
      ),
    },
    oidc: {
      type: "object",
      description: "OpenID providers by name; callers sign in with the tokens of these providers",
      propertyNames: { type: "string", pattern: "^[a-z][a-z0-9-]{0,30}$" },
      additionalProperties: OIDC,
    },
    page: {
      description: "Serve the page of waybill inspect to callers who have this scope",
      ...closed({ scope: { ...TEXT, description: "The scope that a caller needs" } }, ["scope"]),
    },
    url: { ...URL_TEXT, description: "Public URL of the server" },
    limits: LIMITS,
  }),
};
