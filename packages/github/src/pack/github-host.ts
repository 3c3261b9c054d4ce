import type { TokenSource } from "@waybill/adapters/http";

/** The address of a GitHub host and its credentials. */
export interface GithubHost {
  /** The host name: github.com, a tenant, or an Enterprise Server. */
  readonly host: string;
  readonly restUrl: string;
  readonly graphqlUrl: string;
  /** A Unix socket to connect to instead of the host. */
  readonly socketPath?: string;
  readonly token?: TokenSource;
  /** The host of the only available token, if it is another one. */
  readonly tokenHost?: string;
  /** The token for `gh`, which otherwise uses its own login. */
  readonly ghToken?: string;
  /** A configuration folder for `gh`; null if `gh` cannot reach this host. */
  readonly ghConfigDir?: string | null;
  /** Whether the host only acts as GitHub. Its answers may lack GitHub's headers (default: false). */
  readonly isStandIn?: boolean;
  /** A warning in every answer, for example that this is not the real GitHub. */
  readonly warning?: string;
}

export const PUBLIC_HOST = "github.com";

/** github.com and its tenants, which use the same variables for tokens. */
export function isPublic(host: string): boolean {
  return host === PUBLIC_HOST || host.endsWith(".ghe.com");
}

/** The environment variable for the token of a host. */
function tokenName(host: string): string {
  return isPublic(host) ? "GITHUB_TOKEN" : "GH_ENTERPRISE_TOKEN";
}

/** The next step if there is no token for a host. */
export function howToSignIn(host: string): string {
  return `set ${tokenName(host)} or run: gh auth login --hostname ${host}`;
}

/** The URL for uploads: a separate host, or a path of an Enterprise Server. */
export function uploadsUrl({ restUrl }: Pick<GithubHost, "restUrl">): string {
  return restUrl.replace("//api.", "//uploads.").replace(/\/api\/v3$/u, "/api/uploads");
}

/** The API URLs of a host: github.com, a tenant, or an Enterprise Server. */
export function getApi(host: string): Pick<GithubHost, "restUrl" | "graphqlUrl"> {
  if (isPublic(host)) {
    return { restUrl: `https://api.${host}`, graphqlUrl: `https://api.${host}/graphql` };
  }
  return { restUrl: `https://${host}/api/v3`, graphqlUrl: `https://${host}/api/graphql` };
}
