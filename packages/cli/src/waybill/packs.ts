import type { GraphWorkspace, GraphWorkspaceOptions } from "@waybill/codegraph";
import type { Source } from "@waybill/core";
import { placedSource } from "@waybill/core/cards";
import { openLimits } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { Surroundings } from "./sources/surroundings.ts";
import { userAgent } from "./sources/surroundings.ts";
import { version } from "../version.ts";

/** What ids of GitHub's own API begin with. */
const API = "github.";
/** What ids of the code graph begin with, and what it is called where sources are. */
const GRAPH = "graph";

/** What a command will look for. */
export interface Wanted {
  /** Only these ids; any where it is not said. */
  readonly ids?: readonly string[];
  /** Whether what is not listed is looked for as well. */
  readonly unlisted?: boolean;
  /** Only ids below this one; any where it is not said. */
  readonly domain?: string | undefined;
  /** Whether the repository that is meant may be that of the checkout. */
  readonly checkout?: boolean;
  /**
   * The code that is asked about; that of the folder where the command was called unless told. Who
   * serves others may have been started anywhere, so there it is none unless it is named.
   */
  readonly code?: GraphWorkspaceOptions | GraphWorkspace | "none";
}

/** Whether an id is one of the code graph's. */
export function isAboutCode(id: string): boolean {
  return id.startsWith(`${GRAPH}.`);
}

function wantsApi({ ids, unlisted = false }: Wanted): boolean {
  return ids?.some((id) => id.startsWith(API)) ?? unlisted;
}

/**
 * A card can be needed by another one's id too, to see whether a write took place. One whose id the
 * user's own sources took over has the pack's name before it.
 */
function wantsCards({ ids }: Wanted, replace: readonly string[]): boolean {
  return replace.length > 0 || (ids?.some((id) => !id.startsWith(API)) ?? true);
}

async function openGithub(
  { hosts, replace }: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { checkoutRepository, findPlace, githubGate, githubSource } =
    await import("@waybill/github");
  const { env, cwd, state, handles, secrets } = around;
  // An Enterprise Server is often on a company's own network, and the embedded one on this machine.
  const transport = around.transport(true);
  const found = await findPlace({ env, configured: hosts.github, state });
  const place = { ...found, token: secrets.watched(found.token) };
  const repository =
    wanted.checkout === true ? await checkoutRepository(cwd, place.host, env) : undefined;
  const gate = githubGate(found, openLimits(stateFiles(state).limits));
  const common = { env, cwd, transport, userAgent: userAgent(), repository, gate };
  const cards = wantsCards(wanted, replace) ? [githubSource(place, common)] : [];
  if (!wantsApi(wanted)) return cards;
  const isCalled = wanted.ids !== undefined;
  const parts: ApiPart[] = [
    { route: "graphql", open: (api) => api.githubGraphqlSource(place, common) },
    { route: "rest", open: (api) => api.githubApiSource(place, { ...common, handles }) },
  ];
  const opened = parts.map((part) => (isCalled ? openPart(part) : keptPart(part, around)));
  return [...cards, ...(await Promise.all(opened))];
}

/** A part of GitHub's whole API: over a thousand operations, of which a search needs the words. */
interface ApiPart {
  readonly route: "graphql" | "rest";
  readonly open: (api: typeof import("@waybill/github/api")) => Source;
}

async function openPart({ open }: ApiPart): Promise<Source> {
  return open(await import("@waybill/github/api"));
}

/** A pack that is known by what is kept of it, until one of its operations is called. */
interface LatePack {
  readonly name: string;
  readonly route?: Source["route"];
  readonly open: () => Promise<Source>;
  /** The files that it is read from, known once it was opened. */
  readonly documents?: () => readonly string[];
}

async function keptPack(
  { name, route, open, documents = () => [] }: LatePack,
  { state }: Surroundings,
): Promise<Source> {
  const { KeptIndex, keptSource } = await import("@waybill/state/kept-index");
  const index = new KeptIndex(stateFiles(state).index, `${name} ${route} ${version()}`);
  const source = { name, ...(route !== undefined && { route }), open, documents, index };
  return placedSource(keptSource(source), { origin: "pack" });
}

async function keptPart(part: ApiPart, around: Surroundings): Promise<Source> {
  const { route } = part;
  let documents: readonly string[] = [];
  const open = async (): Promise<Source> => {
    const { PACKED_DESCRIPTION: description } = await import("@waybill/github/api");
    documents = [description.href];
    return openPart(part);
  };
  const late = { name: "github", route, open, documents: () => documents };
  return placedSource(await keptPack(late, around), { origin: "pack", raw: true });
}

function wantsGraph({ ids, domain = GRAPH }: Wanted): boolean {
  return ids?.some(isAboutCode) ?? (domain === GRAPH || isAboutCode(domain));
}

/** Nothing of the code is read before the first question about it. */
async function openGraph(
  _config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { code = { root: around.cwd }, ids } = wanted;
  if (code === "none" || !wantsGraph(wanted)) return [];
  const open = async (): Promise<Source> => {
    const { graphSource } = await import("@waybill/codegraph");
    return graphSource(code);
  };
  return [ids === undefined ? await keptPack({ name: GRAPH, open }, around) : await open()];
}

const PACKS = { github: openGithub, graph: openGraph };

/** The packs that come with Waybill and may have what is wanted. */
export async function openPacks(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const opened = config.packs.map((name) => PACKS[name](config, around, wanted));
  return (await Promise.all(opened)).flat();
}
