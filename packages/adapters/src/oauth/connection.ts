/** How access is granted. */
export type OAuthGrant = "authorization_code" | "device_code" | "client_credentials";

/** Where an authorisation server does what. All are absolute addresses. */
export interface OAuthEndpoints {
  /** Its name, where it has described itself. */
  readonly issuer?: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl: string;
  readonly refreshUrl?: string;
  readonly deviceUrl?: string;
  /** Where a client without an id registers itself. */
  readonly registrationUrl?: string;
  readonly revocationUrl?: string;
}

/** Who asks for access. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** How the secret is sent (default: basic). */
  readonly sentAs?: "basic" | "post";
}

export interface OAuthTokens {
  readonly access: string;
  readonly refresh?: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** The granted scopes, where the server named them. */
  readonly scope?: string;
}

/** Everything that is needed to renew access without a person. It is kept as it is. */
export interface OAuthConnection {
  readonly version: 1;
  readonly grant: OAuthGrant;
  readonly endpoints: OAuthEndpoints;
  readonly client: OAuthClient;
  readonly scope?: string;
  readonly tokens: OAuthTokens;
}
