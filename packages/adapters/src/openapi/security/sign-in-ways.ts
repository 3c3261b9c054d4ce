import { isRecord } from "@waybill/core/schema";
import type { OAuthEndpoints, OAuthGrant } from "../../oauth/index.ts";
import { asRecord } from "../document/raw.ts";
import type { Raw } from "../document/raw.ts";

/** One flow to get a token, as the description defines it. */
export interface OAuthFlow {
  readonly grant: OAuthGrant;
  readonly endpoints: OAuthEndpoints;
  /** The available scopes. */
  readonly scopes: readonly string[];
}

/** How a person or a program signs in to an API. */
export interface SignInWays {
  readonly flows: readonly OAuthFlow[];
  /** The URL of the authorisation server's own description (OpenID Connect). */
  readonly discovery?: string;
}

/**
 * The names of OAuth flows in OpenAPI 3 and in Swagger 2. `implicit` and `password` are not
 * supported.
 */
const GRANTS: Readonly<Record<string, OAuthGrant>> = {
  authorizationCode: "authorization_code",
  accessCode: "authorization_code",
  deviceAuthorization: "device_code",
  clientCredentials: "client_credentials",
  application: "client_credentials",
};

function absolute(value: unknown, base: string | undefined): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
}

function readFlow(name: string, raw: Raw, base: string | undefined): OAuthFlow[] {
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined;
  const tokenUrl = absolute(raw["tokenUrl"], base);
  if (grant === undefined || tokenUrl === undefined) return [];
  const optional = {
    authorizationUrl: absolute(raw["authorizationUrl"], base),
    deviceUrl: absolute(raw["deviceAuthorizationUrl"], base),
    refreshUrl: absolute(raw["refreshUrl"], base),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  const endpoints = { tokenUrl, ...Object.fromEntries(given) };
  return [{ grant, endpoints, scopes: Object.keys(asRecord(raw["scopes"])) }];
}

/** The ways to sign in for an oauth2 or openIdConnect scheme. Undefined for other schemes. */
export function signInWays(raw: Raw, base: string | undefined): SignInWays | undefined {
  if (raw["type"] === "openIdConnect") {
    const discovery = absolute(raw["openIdConnectUrl"], base);
    return discovery === undefined ? { flows: [] } : { flows: [], discovery };
  }
  if (raw["type"] !== "oauth2") return undefined;
  const flows = isRecord(raw["flows"])
    ? Object.entries(raw["flows"]).flatMap(([name, flow]) => readFlow(name, asRecord(flow), base))
    : readFlow(String(raw["flow"]), raw, base);
  // The URL of the server's own description, in OpenAPI 3.2.
  const discovery = absolute(raw["oauth2MetadataUrl"], base);
  return discovery === undefined ? { flows } : { flows, discovery };
}
