import { fail } from "@waybill/core";
import { placedSource, runForCallers } from "@waybill/core/cards";
import type { Identity, Source } from "@waybill/core";
import { DEFAULT_ACCOUNT } from "@waybill/state";
import { connectCommand } from "../connect/connect-command.ts";
import type { Connectable } from "../connect/signed-in.ts";
import { openSource } from "./open-source.ts";
import type { Surroundings } from "./sources/surroundings.ts";

/** The most callers with open sources. */
const MAX_CALLERS = 100;
/** A source that was replaced may still be answering, so it is closed after this time. */
const CLOSE_AFTER_MS = 300_000;

/** The entry of a source for one caller: with the caller's account and without shared secrets. */
function entryFor(config: Connectable, account: string): Connectable {
  if (config.kind === "mcp") return { ...config, account };
  if (config.kind === "openapi") {
    const { credentials: _shared, ...entry } = config;
    return { ...entry, account };
  }
  const { token: _shared, ...entry } = config;
  return { ...entry, account };
}

/** Opens a source with the account of a caller. Throws if the caller has none. */
async function openAs(
  name: string,
  config: Connectable,
  around: Surroundings,
  caller: string,
): Promise<Source> {
  const signedIn: Surroundings["signedIn"] = async (...which) => {
    const found = await around.signedIn(...which);
    if (found !== undefined) return found;
    throw fail("AUTH", `${caller} is not signed in to ${name}`, {
      outcome: "not_applied",
      hint: `Where the server runs: ${connectCommand(name, caller)}`,
    });
  };
  const source = await openSource(name, entryFor(config, caller), {
    ...around,
    signedIn,
    offers: [],
  });
  await source.list();
  await source.load?.();
  return source;
}

/** The sources of callers. The least recently used one is closed if there are too many. */
class CallerSources {
  readonly #open: (caller: string) => Promise<Source>;
  readonly #sources = new Map<string, Promise<Source>>();
  readonly #leaving = new Map<NodeJS.Timeout, Promise<Source>>();

  constructor(open: (caller: string) => Promise<Source>) {
    this.#open = open;
  }

  get({ id }: Identity): Promise<Source> {
    const source = this.#sources.get(id) ?? this.#begin(id);
    this.#sources.delete(id);
    this.#sources.set(id, source);
    this.#makeRoom();
    return source;
  }

  /** A failed opening is not kept, because the caller may sign in a moment later. */
  #begin(id: string): Promise<Source> {
    const opening = this.#open(id);
    opening.catch(() => this.#sources.delete(id));
    return opening;
  }

  #makeRoom(): void {
    const [oldest] = this.#sources;
    if (this.#sources.size <= MAX_CALLERS || oldest === undefined) return;
    const [id, source] = oldest;
    this.#sources.delete(id);
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

/**
 * A source that each caller uses with their own account. The server's account lists the operations
 * and serves calls without a caller.
 */
export async function openForCallers(
  name: string,
  config: Connectable,
  around: Surroundings,
): Promise<Source> {
  // Without a name, the only connected account would be used, which may belong to a caller.
  const own = await openSource(name, { account: DEFAULT_ACCOUNT, ...config }, around);
  const callers = new CallerSources((caller) => openAs(name, config, around, caller));
  return {
    ...placedSource(own, {}),
    runOf: (id) =>
      runForCallers(own.runOf(id), async (identity) => (await callers.get(identity)).runOf(id)),
    async close() {
      await callers.close();
      await own.close();
    },
  };
}
