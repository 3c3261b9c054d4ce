import {
  checkoutRepository,
  findGithub,
  findMeantIds,
  githubGate,
  githubSource,
} from "@waybill/github";
import type { Source } from "@waybill/core";
import { openScopes } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import { isLoopback, isOffline } from "./is-offline.ts";
import type { Wanted } from "./wanted-parts.ts";
import type { Surroundings } from "./sources/surroundings.ts";
import { userAgent } from "./sources/surroundings.ts";

/** The prefix of ids of GitHub's whole API. */
const API = "github.";

function callsApi({ ids }: Wanted): boolean {
  return ids?.some((id) => id.startsWith(API)) ?? false;
}

/** Prefixes of ids that belong neither to GitHub nor to a configured source. */
const BUILT_IN = ["graph", "result"];

/** Whether no source seems to have the id. */
async function isUnknown(
  id: string,
  [cards]: readonly Source[],
  { sources }: EffectiveConfig,
): Promise<boolean> {
  const isOf = (name: string): boolean => id.startsWith(`${name}.`);
  if ([...BUILT_IN, ...Object.keys(sources)].some(isOf)) return false;
  const known = (await cards?.list()) ?? [];
  if (known.some(({ id: own, alsoCalled = [] }) => own === id || alsoCalled.includes(id)))
    return false;
  const ids = known.map((summary) => summary.id);
  return findMeantIds(id, ids).length !== 1;
}

/**
 * Whether GitHub's whole API is needed: a call or a search uses it, and the error for an unknown id
 * suggests its operations.
 */
async function wantsApi(
  { ids, unlisted = false }: Wanted,
  cards: readonly Source[],
  config: EffectiveConfig,
): Promise<boolean> {
  if (ids === undefined) return unlisted;
  const areUnknown = await Promise.all(ids.map((id) => isUnknown(id, cards, config)));
  return areUnknown.includes(true);
}

/**
 * Whether the cards are needed. A card may use another card to check whether a write happened. If a
 * user's source has the same id as a card, the card gets the prefix `github.`.
 */
function wantsCards({ ids }: Wanted, replace: readonly string[]): boolean {
  return replace.length > 0 || (ids?.some((id) => !id.startsWith(API)) ?? true);
}

/** Whether the GitHub host is the embedded GitHub, on this machine. */
function isHere({ socketPath, restUrl }: { socketPath?: string; restUrl: string }): boolean {
  return socketPath !== undefined || isLoopback(new URL(restUrl).hostname);
}

/** GitHub's capabilities, with the rest of its API if the command needs it. */
export async function openGithub(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { hosts, replace } = config;
  const { env, cwd, state, handles, secrets } = around;
  // Private addresses are allowed: an Enterprise Server is often on a company network, and the
  // embedded GitHub is on this machine.
  const transport = around.transport(true);
  const found = await findGithub({ env, configured: hosts.github, state });
  const place = { ...found, token: secrets.watched(found.token) };
  const repository =
    wanted.checkout === true ? await checkoutRepository(cwd, place.host, env) : undefined;
  const gate = githubGate(found, around.limits);
  const scopes = openScopes(stateFiles(state).scopes);
  const isAway = (): boolean => !isHere(place) && isOffline(env);
  const web = { transport, userAgent: userAgent(), gate, scopes, isOffline: isAway };
  const common = { env, cwd, repository, ...web };
  const cards = wantsCards(wanted, replace) ? [githubSource(place, { ...common, handles })] : [];
  const isCalled = callsApi(wanted);
  if (!isCalled && !(await wantsApi(wanted, cards, config))) return cards;
  const parts: ApiPart[] = [
    { route: "graphql", open: (api) => api.githubGraphqlSource(place, common) },
    { route: "rest", open: (api) => api.githubApiSource(place, { ...common, handles }) },
  ];
  const opened = parts.map((part) => (isCalled ? openPart(part) : keptPart(part, around)));
  const api = await Promise.all(opened);
  // Lists the operations now, because the error for an unknown id waits only a short time for them.
  if (!isCalled && wanted.ids !== undefined)
    await Promise.allSettled(api.map((source) => source.list()));
  return [...cards, ...api];
}

/**
 * A part of GitHub's whole API. It has over a thousand operations, so searches use the stored
 * index.
 */
interface ApiPart {
  readonly route: "graphql" | "rest";
  readonly open: (api: typeof import("@waybill/github/api")) => Source;
}

async function openPart({ open }: ApiPart): Promise<Source> {
  return open(await import("@waybill/github/api"));
}

async function keptPart(part: ApiPart, around: Surroundings): Promise<Source> {
  const { keptPack } = await import("./kept-pack.ts");
  const { route } = part;
  let documents: readonly string[] = [];
  const open = async (): Promise<Source> => {
    const { PACKED_DESCRIPTION: description } = await import("@waybill/github/api");
    documents = [description.href];
    return openPart(part);
  };
  const pack = { name: "github", route, raw: true, meantIds: findMeantIds, open };
  return keptPack({ ...pack, documents: () => documents }, around);
}
