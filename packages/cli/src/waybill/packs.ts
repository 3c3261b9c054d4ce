import type { GraphWorkspace, GraphWorkspaceOptions } from "@waybill/codegraph";
import type { Source } from "@waybill/core";
import { openLimits } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import { deferredSource } from "./deferred-source.ts";
import { hasCards } from "./gather-sources.ts";
import type { Surroundings } from "./sources/surroundings.ts";
import { userAgent } from "./sources/surroundings.ts";

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
  const { githubApiSource, githubGraphqlSource } = await import("@waybill/github/api");
  const api = githubApiSource(place, { ...common, handles });
  return [...cards, githubGraphqlSource(place, common), api];
}

function wantsGraph({ ids, domain = GRAPH }: Wanted): boolean {
  return ids?.some(isAboutCode) ?? (domain === GRAPH || isAboutCode(domain));
}

/** Nothing of the code is read before the first question about it. */
async function openGraph(
  config: EffectiveConfig,
  { cwd }: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { code = { root: cwd } } = wanted;
  if (code === "none") return [];
  const open = async (): Promise<Source> => {
    const { graphSource } = await import("@waybill/codegraph");
    return graphSource(code);
  };
  if (wantsGraph(wanted)) return [await open()];
  return hasCards(config) ? [deferredSource({ name: GRAPH, origin: "pack" }, open)] : [];
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
