/** The identity of this client at an authorisation server. Without an id it registers itself. */
interface ClientIdentity {
  readonly clientId?: string;
  /** The secret. `${env:NAME}` is replaced by an environment variable. */
  readonly clientSecret?: string;
  readonly scope?: string;
  /** The next step for a caller if a person must sign in. */
  readonly hint?: string;
}

/** A person signs in with a browser. PKCE protects the code. */
export interface AuthorizationCodeSettings extends ClientIdentity {
  readonly grant?: "authorization_code";
  /** Where the browser is redirected to (default: a port of this machine). */
  readonly redirectUrl?: string;
  /** An HTTPS page that describes this client, for servers that accept it instead of an id. */
  readonly clientMetadataUrl?: string;
  /** Opens a page for the person, and resolves with the URL to which the browser was redirected. */
  readonly authorize?: (page: URL) => Promise<string | URL>;
}

/**
 * A program signs in without a person, with a secret or with a private key. The key is never
 * sent.
 */
export interface ClientCredentialsSettings extends ClientIdentity {
  readonly grant: "client_credentials";
  readonly clientId: string;
  /**
   * A private key in PEM, instead of a secret. `${env:NAME}` is replaced by an environment
   * variable.
   */
  readonly privateKey?: string;
  /** The signature algorithm (default: ES256). */
  readonly algorithm?: string;
}

export type OAuthSettings = AuthorizationCodeSettings | ClientCredentialsSettings;

export const DEFAULT_REDIRECT_URL = "http://127.0.0.1:41017/callback";
