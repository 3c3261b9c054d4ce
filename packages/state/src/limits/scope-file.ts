import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ensurePrivateFolder, stateFiles, withLock, writePrivate } from "../files/index.ts";

/** The scopes of tokens, by account. The name of the account does not reveal the token. */
export interface ScopeStore {
  /** Undefined if the scopes are not known, or were read too long ago. */
  read(account: string): Promise<readonly string[] | undefined>;
  write(account: string, scopes: readonly string[]): Promise<void>;
}

interface Kept {
  readonly scopes: readonly string[];
  /** The time in milliseconds since the epoch. */
  readonly at: number;
}

/** The maximum number of accounts, more than one person has. */
const MAX_ACCOUNTS = 100;
/** GitHub is asked again after this time, because the scopes of a token can change. */
const KEPT_MS = 600_000;

function isKept(value: unknown): value is Kept {
  const { scopes, at } = (value ?? {}) as Partial<Kept>;
  const isFresh = typeof at === "number" && Math.abs(Date.now() - at) < KEPT_MS;
  return isFresh && Array.isArray(scopes) && scopes.every((one) => typeof one === "string");
}

class ScopeFile implements ScopeStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(account: string): Promise<readonly string[] | undefined> {
    return (await this.#readAll()).find(([name]) => name === account)?.[1].scopes;
  }

  async write(account: string, scopes: readonly string[]): Promise<void> {
    // Creates the folder, because a lock needs it and a new user does not have it yet.
    await ensurePrivateFolder(dirname(this.#path));
    await withLock(`${this.#path}.lock`, async () => {
      const others = (await this.#readAll()).filter(([name]) => name !== account);
      const own = [account, { scopes, at: Date.now() }] as const;
      const all = [own, ...others].slice(0, MAX_ACCOUNTS);
      await writePrivate(this.#path, JSON.stringify(Object.fromEntries(all)), { flush: false });
    });
  }

  /** Entries that cannot be read, or that are old, are ignored. */
  async #readAll(): Promise<(readonly [string, Kept])[]> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#path, "utf8"));
      const entries = Object.entries((value ?? {}) as Record<string, unknown>);
      return entries.flatMap(([name, kept]) => (isKept(kept) ? [[name, kept] as const] : []));
    } catch {
      return [];
    }
  }
}

/** Stores the scopes of tokens in a file that all processes of a user share. */
export function openScopes(path: string = stateFiles().scopes): ScopeStore {
  return new ScopeFile(path);
}
