import { accountName } from "./gate.ts";
import type { TokenScopeStore } from "./surroundings.ts";
import type { GithubHost } from "./github-host.ts";

/** How long stored scopes are used. GitHub is asked again afterwards, because scopes can change. */
const KNOWN_MS = 600_000;

interface Known {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly at: number;
}

/** The scopes that GitHub last reported for a token, shared between processes. */
export class KnownScopes {
  readonly #place: GithubHost;
  readonly #store: TokenScopeStore | undefined;
  #known: Known | undefined;

  constructor(place: GithubHost, store: TokenScopeStore | undefined) {
    this.#place = place;
    this.#store = store;
  }

  async of(token: string): Promise<readonly string[] | undefined> {
    const known = this.#known;
    if (known?.token === token && Date.now() - known.at < KNOWN_MS) return known.scopes;
    return this.#store?.read(this.#account(token)).catch(() => undefined);
  }

  /** Writes the file only if the scopes have changed or are about to expire. */
  async keep(token: string, scopes: readonly string[]): Promise<void> {
    const now = Date.now();
    const { token: before, scopes: old = [], at = 0 } = this.#known ?? {};
    this.#known = { token, scopes, at: now };
    const isSame = before === token && old.join() === scopes.join() && now - at < KNOWN_MS / 2;
    if (isSame || this.#store === undefined) return;
    const account = this.#account(token);
    const kept = await this.#store.read(account).catch(() => undefined);
    if (before === undefined && kept?.join() === scopes.join()) return;
    // If the write fails, the next process learns the scopes again.
    await this.#store.write(account, scopes).catch(() => undefined);
  }

  #account(token: string): string {
    return accountName({ ...this.#place, ghToken: token });
  }
}
