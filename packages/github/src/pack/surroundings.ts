import type { HttpTransport } from "@waybill/adapters/http";
import type { HandleStore } from "@waybill/core";
import type { AccountGate, CardRouteName } from "@waybill/core/cards";

/** The parts that calls to a GitHub are made with. */
export interface GithubSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
  /** The program for the `cli` routes (default: `gh`). */
  readonly program?: string;
  readonly cwd?: string;
  /** The route that is tried first, whatever a card prefers. */
  readonly prefer?: CardRouteName;
  /** Requests wait here for limits and for each other (default: a new gate). */
  readonly gate?: AccountGate;
  /** Remembers the scopes of the token for other processes (default: for this one). */
  readonly scopes?: TokenScopeStore | undefined;
  /** Whether this machine has no network (default: it has one). */
  readonly isOffline?: (() => boolean) | undefined;
  /** Where downloaded files are kept (default: small ones are part of the answer). */
  readonly handles?: HandleStore | undefined;
  /** The repository that is meant where a call names none. */
  readonly repository?: { readonly owner: string; readonly name: string } | undefined;
}

/** The scopes of tokens, by a name of the account that does not tell the token. */
export interface TokenScopeStore {
  read(account: string): Promise<readonly string[] | undefined>;
  write(account: string, scopes: readonly string[]): Promise<void>;
}
