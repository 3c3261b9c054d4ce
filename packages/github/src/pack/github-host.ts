import type { TokenSource } from "@waybill/adapters/http";

/** Where one GitHub is, and what is sent to it. */
export interface GithubHost {
  /** Its host name: github.com, a tenant, an Enterprise Server. */
  readonly host: string;
  readonly restUrl: string;
  readonly graphqlUrl: string;
  /** A Unix socket to connect to instead of the host. */
  readonly socketPath?: string;
  readonly token?: TokenSource;
  /** The host that the only token at hand belongs to, when it is another one. */
  readonly tokenHost?: string;
  /** The token for `gh`, which otherwise uses its own login. */
  readonly ghToken?: string;
  /** A configuration folder for `gh`; null when `gh` cannot reach this place. */
  readonly ghConfigDir?: string | null;
  /** Said with every answer, such as that this is no real GitHub. */
  readonly warning?: string;
}

export const PUBLIC_HOST = "github.com";

/** GitHub's own and its tenants, which share the names of tokens. */
export function isPublic(host: string): boolean {
  return host === PUBLIC_HOST || host.endsWith(".ghe.com");
}

/** The variable in which the token of a host is looked for. */
export function tokenName(host: string): string {
  return isPublic(host) ? "GITHUB_TOKEN" : "GH_ENTERPRISE_TOKEN";
}

/** Where files are uploaded to: a host of its own, or a path of an Enterprise Server. */
export function uploadsUrl({ restUrl }: Pick<GithubHost, "restUrl">): string {
  return restUrl.replace("//api.", "//uploads.").replace(/\/api\/v3$/u, "/api/uploads");
}

/** Where the API of a host is: GitHub's own, a tenant's, or an Enterprise Server's. */
export function getApi(host: string): Pick<GithubHost, "restUrl" | "graphqlUrl"> {
  if (isPublic(host)) {
    return { restUrl: `https://api.${host}`, graphqlUrl: `https://api.${host}/graphql` };
  }
  return { restUrl: `https://${host}/api/v3`, graphqlUrl: `https://${host}/api/graphql` };
}
