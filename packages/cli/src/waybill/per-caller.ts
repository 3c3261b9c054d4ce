import { fail } from "@waybill/core";
import { placedSource, runForCallers } from "@waybill/core/cards";
import type { Identity, Source } from "@waybill/core";
import { DEFAULT_ACCOUNT } from "@waybill/state";
import { connectCommand } from "../connect/connect-command.ts";
import type { Connectable } from "../connect/signed-in.ts";
import { openSource } from "./open-source.ts";
import type { Surroundings } from "./sources/surroundings.ts";

/** Callers whose sources are open at a time. */
const MAX_CALLERS = 100;
/** A source that made room for others may still be answering. */
const CLOSE_AFTER_MS = 300_000;

/** The entry of a source as one caller has it: with that caller's account and no shared secret. */
function entryFor(config: Connectable, account: string): Connectable {
  if (config.kind === "mcp") return { ...config, account };
  if (config.kind === "openapi") {
    const { credentials: _shared, ...entry } = config;
    return { ...entry, account };
  }
  const { token: _shared, ...entry } = config;
  return { ...entry, account };
}

/** Opens a source with the account of a caller, who must have one. */
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

/** The sources of callers; the one that was not used for the longest time makes room. */
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

  /** Somebody who is not signed in yet may be a moment later. */
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
 * A source that each caller uses with an account of their own. The account of the server lists its
 * operations, and serves calls that are nobody's.
 */
export async function openForCallers(
  name: string,
  config: Connectable,
  around: Surroundings,
): Promise<Source> {
  // Without a name the only account would be used, which may be a caller's.
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
