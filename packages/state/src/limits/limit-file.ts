import { readFile, stat } from "node:fs/promises";
import type { AccountLimit, LimitStore } from "@waybill/core/cards";
import { dirname } from "node:path";
import { ensurePrivateFolder, stateFiles, withLock, writePrivate } from "../files/index.ts";

type Limits = Readonly<Record<string, readonly AccountLimit[]>>;

/** The maximum number of accounts, more than one person has. */
const MAX_ACCOUNTS = 100;

function isLimit(value: unknown): value is AccountLimit {
  const { resource, until } = (value ?? {}) as Partial<AccountLimit>;
  return typeof resource === "string" && typeof until === "number";
}

/** Entries that cannot be read are ignored. */
function parseLimits(text: string): Limits {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    const entries = Object.entries(value).map(([account, limits]) => {
      const list: unknown[] = Array.isArray(limits) ? limits : [];
      return [account, list.filter(isLimit)] as const;
    });
    return Object.fromEntries(entries.slice(0, MAX_ACCOUNTS));
  } catch {
    return {};
  }
}

/** The latest end time for each resource, without limits that are over. */
function mergedLimits(limits: readonly AccountLimit[]): AccountLimit[] {
  const ends = new Map<string, number>();
  for (const { resource, until } of limits) {
    if (until > Date.now()) ends.set(resource, Math.max(until, ends.get(resource) ?? 0));
  }
  return [...ends].map(([resource, until]) => ({ resource, until }));
}

class LimitFile implements LimitStore {
  readonly #path: string;
  #limits: Limits = {};
  #version = "";

  constructor(path: string) {
    this.#path = path;
  }

  async read(account: string): Promise<readonly AccountLimit[]> {
    const found = await stat(this.#path).catch(() => undefined);
    if (found === undefined) return [];
    const version = `${found.ino}:${found.mtimeMs}:${found.size}`;
    if (version !== this.#version) {
      this.#limits = parseLimits(await readFile(this.#path, "utf8"));
      this.#version = version;
    }
    return this.#limits[account] ?? [];
  }

  async add(account: string, limit: AccountLimit): Promise<void> {
    // Creates the folder, because a lock needs it and a new user does not have it yet.
    await ensurePrivateFolder(dirname(this.#path));
    await withLock(`${this.#path}.lock`, async () => {
      const all = parseLimits(await readFile(this.#path, "utf8").catch(() => ""));
      const entries = Object.entries(all).map(
        ([name, limits]) => [name, mergedLimits(limits)] as const,
      );
      const others = entries.filter(([name, limits]) => name !== account && limits.length > 0);
      const own = mergedLimits([...(all[account] ?? []), limit]);
      const text = JSON.stringify(Object.fromEntries([[account, own], ...others]));
      await writePrivate(this.#path, text, { flush: false });
    });
  }
}

/** Stores the rate limits of upstream accounts in a file that all processes of a user share. */
export function openLimits(path: string = stateFiles().limits): LimitStore {
  return new LimitFile(path);
}
