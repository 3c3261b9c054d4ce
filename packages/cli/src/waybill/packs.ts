import type { Source } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/local";
import type { Surroundings } from "./sources/surroundings.ts";
import { userAgent } from "./sources/surroundings.ts";

/** What ids of GitHub's own API begin with. */
const API = "github.";

/** What a command will look for. */
export interface Wanted {
  /** Only these ids; any where it is not said. */
  readonly ids?: readonly string[];
  /** Whether what is not listed is looked for as well. */
  readonly unlisted?: boolean;
  /** Whether the repository that is meant may be that of the checkout. */
  readonly checkout?: boolean;
}

function wantsApi({ ids, unlisted = false }: Wanted): boolean {
  return ids?.some((id) => id.startsWith(API)) ?? unlisted;
}

/** A card can be needed by another one's id too, to see whether a write took place. */
function wantsCards({ ids }: Wanted): boolean {
  return ids?.some((id) => !id.startsWith(API)) ?? true;
}

async function openGithub(
  { hosts }: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { checkoutRepository, findPlace, githubSource } = await import("@waybill/github");
  const { env, cwd, state, handles, secrets } = around;
  // An Enterprise Server is often on a company's own network, and the embedded one on this machine.
  const transport = around.transport(true);
  const found = await findPlace({ env, configured: hosts.github, state });
  const place = { ...found, token: secrets.watched(found.token) };
  const repository =
    wanted.checkout === true ? await checkoutRepository(cwd, place.host, env) : undefined;
  const common = { env, cwd, transport, userAgent: userAgent(), repository };
  const cards = wantsCards(wanted) ? [githubSource(place, common)] : [];
  if (!wantsApi(wanted)) return cards;
  const { githubApiSource } = await import("@waybill/github/api");
  return [...cards, githubApiSource(place, { ...common, handles })];
}

/** The packs that come with Waybill and may have what is wanted. */
export async function openPacks(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  return config.packs.includes("github") ? openGithub(config, around, wanted) : [];
}
