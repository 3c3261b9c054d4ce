/** The OAuth grant, which is the way in which a person or a program gets access. */
export type OAuthGrant = "authorization_code" | "device_code" | "client_credentials";

/** The endpoints of an authorisation server. All are absolute URLs. */
export interface OAuthEndpoints {
  /** The issuer name, if the server publishes its own description. */
  readonly issuer?: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly deviceUrl?: string;
  /** Where a client without an id can register. */
  readonly registrationUrl?: string;
  readonly revocationUrl?: string;
}

/** The client that asks for access. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** How the secret is sent (default: basic). */
  readonly sentAs?: "basic" | "post";
}

export interface OAuthTokens {
  readonly access: string;
  readonly refresh?: string;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** The granted scopes, if the server named them. */
  readonly scope?: string;
}

/** Everything that is needed to renew access without a person. It is stored in this form. */
export interface OAuthConnection {
  readonly version: 1;
  readonly grant: OAuthGrant;
  readonly endpoints: OAuthEndpoints;
  readonly client: OAuthClient;
  readonly scope?: string;
  readonly tokens: OAuthTokens;
}
