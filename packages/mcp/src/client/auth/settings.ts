/** Who this client is to an authorisation server. Without an id it registers itself. */
interface ClientIdentity {
  readonly clientId?: string;
  /** `${env:NAME}` stands for a variable here. */
  readonly clientSecret?: string;
  readonly scope?: string;
  /** The next step for a caller when a person has to sign in. */
  readonly hint?: string;
}

/** A person signs in with a browser; PKCE protects the code on its way. */
export interface AuthorizationCodeSettings extends ClientIdentity {
  readonly grant?: "authorization_code";
  /** Where the browser is sent back to. Default a port of this machine. */
  readonly redirectUrl?: string;
  /** An HTTPS page that describes this client, for servers that take it instead of an id. */
  readonly clientMetadataUrl?: string;
  /** Takes the person to a page and resolves with the address they were sent back to. */
  readonly authorize?: (page: URL) => Promise<string | URL>;
}

/** A program signs in by itself, with a secret or with a key that never leaves it. */
export interface ClientCredentialsSettings extends ClientIdentity {
  readonly grant: "client_credentials";
  readonly clientId: string;
  /** A private key in PEM, instead of a secret. `${env:NAME}` stands for a variable here. */
  readonly privateKey?: string;
  /** How the key signs. Default ES256. */
  readonly algorithm?: string;
}

export type OAuthSettings = AuthorizationCodeSettings | ClientCredentialsSettings;

export const DEFAULT_REDIRECT_URL = "http://127.0.0.1:41017/callback";
