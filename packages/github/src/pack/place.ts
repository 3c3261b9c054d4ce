import type { TokenSource } from "@waybill/adapters/http";

/** Where one GitHub is, and what is sent to it. */
export interface GithubPlace {
  /** What it is called: github.com, a tenant, an Enterprise Server. */
  readonly host: string;
  readonly restUrl: string;
  readonly graphqlUrl: string;
  /** A Unix socket to connect to in place of the host. */
  readonly socketPath?: string;
  readonly token?: TokenSource;
  /** The token for `gh`, which otherwise uses its own login. */
  readonly ghToken?: string;
  /** A configuration folder for `gh`; null when `gh` cannot reach this place. */
  readonly ghConfigDir?: string | null;
}
