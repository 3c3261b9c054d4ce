import type { HttpTransport } from "@waybill/adapters/http";
import type { HandleStore } from "@waybill/core";
import type { AccountGate, CardRouteName } from "@waybill/core/cards";

/** The dependencies of calls to GitHub. */
export interface GithubSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
  /** The program for the `cli` routes (default: `gh`). */
  readonly program?: string;
  readonly cwd?: string;
  /** The route to try first (default: the order of each card). */
  readonly prefer?: CardRouteName;
  /** Limits the requests of one account (default: a new gate). */
  readonly gate?: AccountGate;
  /** Shares the scopes of the token with other processes (default: they are kept in this one). */
  readonly scopes?: TokenScopeStore | undefined;
  /** Whether this machine has no network (default: it has one). */
  readonly isOffline?: (() => boolean) | undefined;
  /** Stores downloaded files (default: small ones are part of the answer). */
  readonly handles?: HandleStore | undefined;
  /** The repository for calls that name none. */
  readonly repository?: { readonly owner: string; readonly name: string } | undefined;
}

/** The scopes of tokens, by an account name that does not reveal the token. */
export interface TokenScopeStore {
  read(account: string): Promise<readonly string[] | undefined>;
  write(account: string, scopes: readonly string[]): Promise<void>;
}
