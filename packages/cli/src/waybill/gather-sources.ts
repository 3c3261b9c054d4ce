import { errorFromUnknown, fail } from "@waybill/core";
import { lateSource, placedSource } from "@waybill/core/cards";
import type { Source } from "@waybill/core";
import { DEFAULT_ACCOUNT } from "@waybill/state";
import type { EffectiveConfig, SourceConfig, SourceKind, SourceOrigin } from "@waybill/state";
import type { Connectable } from "../connect/signed-in.ts";
import { deferredSource } from "./deferred-source.ts";
import { openSource } from "./open-source.ts";
import type { Surroundings } from "./sources/surroundings.ts";
import { withAccounts } from "./with-accounts.ts";

/** Sets the owner of a source. It decides which of two sources keeps an id. */
function placed(source: Source, kind: SourceKind, origin: SourceOrigin["origin"]): Source {
  return placedSource(source, { origin, ...(kind === "cards" && { anyIds: true }) });
}

/** The route of each kind of source. Cards have several routes. */
const ROUTES: Readonly<Record<SourceKind, Source["route"]>> = {
  cards: undefined,
  openapi: "rest",
  mcp: "mcp",
  graphql: "graphql",
  command: "cli",
  nats: "local",
};

function failing(name: string, kind: SourceKind, why: unknown): Source {
  return lateSource(name, () => Promise.reject(errorFromUnknown(why)), ROUTES[kind]);
}

/** A source that will be called is opened immediately; others list their stored operations. */
async function openOne(
  name: string,
  config: SourceConfig,
  around: Surroundings,
  isCalled: boolean,
): Promise<Source> {
  if (isCalled || around.isFresh) return openSource(name, config, around);
  const { isDescribed, openKept } = await import("./kept-sources.ts");
  if (!isDescribed(config)) return openSource(name, config, around);
  return openKept(name, ROUTES[config.kind], config, around);
}

function isConnectable(config: SourceConfig): config is Connectable {
  const { kind } = config;
  return kind === "openapi" || kind === "graphql" || (kind === "mcp" && config.url !== undefined);
}

/** Opens a source so that calls can use its connected accounts. */
async function openWithAccounts(
  name: string,
  config: SourceConfig,
  around: Surroundings,
  isCalled: boolean,
): Promise<Source> {
  if (!isConnectable(config)) return openOne(name, config, around, isCalled);
  // Sets the account explicitly. Otherwise the only connected account would be used, and it may
  // belong to a caller.
  const shared = config.per_caller === true ? { account: DEFAULT_ACCOUNT, ...config } : config;
  const own = await openOne(name, shared, around, isCalled);
  return withAccounts(name, config, around, own);
}

/**
 * Opens a source. If that fails, returns a source that reports the error, like one that cannot be
 * read.
 */
async function orBroken(
  name: string,
  config: SourceConfig,
  around: Surroundings,
  isCalled: boolean,
): Promise<Source> {
  try {
    return await openWithAccounts(name, config, around, isCalled);
  } catch (error) {
    return failing(name, config.kind, error);
  }
}

/**
 * Whether a source may have one of the ids. Cards may have any id; ids of other sources start with
 * the source's name.
 */
function mayHave(name: string, { kind }: SourceConfig, ids: readonly string[]): boolean {
  return kind === "cards" || ids.some((id) => id.startsWith(`${name}.`));
}

/** Steps and programs of cards may call operations of every other source. */
export function hasCards({ sources }: Pick<EffectiveConfig, "sources">): boolean {
  return Object.values(sources).some(({ kind }) => kind === "cards");
}

/** Opens the sources that may have the requested ids, so that unneeded programs are not started. */
export async function openSources(
  { sources, places, untrusted }: EffectiveConfig,
  around: Surroundings,
  ids?: readonly string[],
): Promise<Source[]> {
  const isAnyCalled = hasCards({ sources });
  const opened = Object.entries(sources).flatMap(([name, config]) => {
    const open = (): Promise<Source> => orBroken(name, config, around, ids !== undefined);
    const place = (source: Source): Source =>
      placed(source, config.kind, places[name]?.origin ?? "project");
    if (ids === undefined || mayHave(name, config, ids)) return [open().then(place)];
    const route = ROUTES[config.kind];
    const facts = route === undefined ? { name } : { name, route };
    return isAnyCalled ? [Promise.resolve(place(deferredSource(facts, open)))] : [];
  });
  // A project's source is not read before the user trusts it.
  const refused = Object.entries(untrusted).map(([name, { kind, why, hint }]) =>
    placed(failing(name, kind, fail("POLICY", why, { hint })), kind, "project"),
  );
  return [...(await Promise.all(opened)), ...refused];
}
