import { fail } from "@waybill/core";
import { placedSource, runForCallers } from "@waybill/core/cards";
import type { Source } from "@waybill/core";
import type { AccountCaller, SourceAccounts } from "@waybill/core/cards";
import { accountsFor, connectedName } from "../connect/account-names.ts";
import { connectCommand } from "../connect/connect-command.ts";
import type { Connectable } from "../connect/signed-in.ts";
import { openSource } from "./open-source.ts";
import type { Surroundings } from "./sources/surroundings.ts";

/** The most accounts with open sources. */
const MAX_OPEN = 100;
/** A source that was replaced may still be answering, so it is closed after this time. */
const CLOSE_AFTER_MS = 300_000;

/** The configuration of a source for one account, without the secrets that all accounts share. */
function entryFor(config: Connectable, account: string): Connectable {
  if (config.kind === "mcp") return { ...config, account };
  if (config.kind === "openapi") {
    const { credentials: _shared, ...entry } = config;
    return { ...entry, account };
  }
  const { token: _shared, ...entry } = config;
  return { ...entry, account };
}

/** Opens a source with an account. Throws if the account is not connected. */
async function openAs(
  name: string,
  config: Connectable,
  around: Surroundings,
  account: string,
): Promise<Source> {
  const signedIn: Surroundings["signedIn"] = async (...which) => {
    const found = await around.signedIn(...which);
    if (found !== undefined) return found;
    throw fail("AUTH", `${account} is not signed in to ${name}`, {
      outcome: "not_applied",
      hint: `On the machine of the server, run: ${connectCommand(name, account)}`,
    });
  };
  const source = await openSource(name, entryFor(config, account), {
    ...around,
    signedIn,
    offers: [],
  });
  await source.list();
  await source.load?.();
  return source;
}

/** The sources of accounts. The least recently used one is closed if there are too many. */
class AccountSources {
  readonly #open: (account: string) => Promise<Source>;
  readonly #sources = new Map<string, Promise<Source>>();
  readonly #leaving = new Map<NodeJS.Timeout, Promise<Source>>();

  constructor(open: (account: string) => Promise<Source>) {
    this.#open = open;
  }

  get(account: string): Promise<Source> {
    const source = this.#sources.get(account) ?? this.#begin(account);
    this.#sources.delete(account);
    this.#sources.set(account, source);
    this.#makeRoom();
    return source;
  }

  /**
   * A failed attempt to open a source is not cached, because the caller may sign in a moment later.
   */
  #begin(account: string): Promise<Source> {
    const opening = this.#open(account);
    opening.catch(() => this.#sources.delete(account));
    return opening;
  }

  #makeRoom(): void {
    const [oldest] = this.#sources;
    if (this.#sources.size <= MAX_OPEN || oldest === undefined) return;
    const [account, source] = oldest;
    this.#sources.delete(account);
    const timer = setTimeout(() => {
      this.#leaving.delete(timer);
      void closeLater(source);
    }, CLOSE_AFTER_MS);
    timer.unref();
    this.#leaving.set(timer, source);
  }

  async close(): Promise<void> {
    for (const timer of this.#leaving.keys()) clearTimeout(timer);
    await Promise.all([...this.#sources.values(), ...this.#leaving.values()].map(closeLater));
  }
}

async function closeLater(opening: Promise<Source>): Promise<void> {
  const source = await opening.catch(() => undefined);
  await source?.close();
}

function sourceAccounts(
  name: string,
  config: Connectable,
  { state, env }: Surroundings,
): SourceAccounts {
  return {
    async list(identity) {
      const { connectedAccounts } = await import("../connect/open-connections.ts");
      return accountsFor(identity, await connectedAccounts(state, env, config));
    },
    connectHint: (identity, account) => {
      const where = identity === undefined ? "" : "On the machine of the server, run: ";
      return `${where}${connectCommand(name, connectedName(identity, account))}`;
    },
  };
}

/**
 * A source whose calls can choose an account. With `per_caller`, each caller uses their own
 * account. `own` lists the operations and serves calls without an account.
 */
export function withAccounts(
  name: string,
  config: Connectable,
  around: Surroundings,
  own: Source,
): Source {
  const sources = new AccountSources((account) => openAs(name, config, around, account));
  const accounts = sourceAccounts(name, config, around);
  const runAs = async (id: string, { identity, account }: AccountCaller) => {
    if (account === undefined && config.per_caller !== true) return undefined;
    const connected = connectedName(identity, account);
    if (connected !== undefined) return (await sources.get(connected)).runOf(id);
    throw fail(
      "AUTH",
      `This caller cannot have an account at ${name}, because its id contains other characters than letters, digits and .@:|+/-_. Change the id of the caller`,
      { outcome: "not_applied" },
    );
  };
  return Object.assign(placedSource(own, {}), {
    runOf: (id: string) =>
      runForCallers(own.runOf(id), { runAs: (caller) => runAs(id, caller), accounts }),
    async close() {
      await sources.close();
      await own.close();
    },
  });
}
