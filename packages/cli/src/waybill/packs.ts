import type { Source } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/state";
import { deferredSource } from "./deferred-source.ts";
import { hasCards } from "./gather-sources.ts";
import type { Surroundings } from "./sources/surroundings.ts";
import type { Wanted } from "./wanted-parts.ts";

/** The prefix of the code graph's ids, and its name among the sources. */
const GRAPH = "graph";

/** Whether an id is one of the code graph's. */
export function isAboutCode(id: string): boolean {
  return id.startsWith(`${GRAPH}.`);
}

function wantsGraph({ ids, domain = GRAPH }: Wanted): boolean {
  return ids?.some(isAboutCode) ?? (domain === GRAPH || isAboutCode(domain));
}

/** The code is read only when the first question about it arrives. */
async function openGraph(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const { code = { root: around.cwd }, ids } = wanted;
  if (code === "none") return [];
  const open = async (): Promise<Source> => {
    const { graphSource } = await import("@waybill/codegraph");
    return graphSource(code);
  };
  if (!wantsGraph(wanted)) {
    return hasCards(config) ? [deferredSource({ name: GRAPH, origin: "pack" }, open)] : [];
  }
  if (ids !== undefined) return [await open()];
  const { keptPack } = await import("./kept-pack.ts");
  return [await keptPack({ name: GRAPH, open }, around)];
}

/** A built-in pack. Its code is loaded only when it is needed. */
interface Pack {
  /** Opens the sources of this pack that may have the wanted ids. */
  open(config: EffectiveConfig, around: Surroundings, wanted: Wanted): Promise<Source[]>;
}

const PACKS: Readonly<Record<EffectiveConfig["packs"][number], Pack>> = {
  github: {
    open: async (...given) =>
      (await import(/* part: run */ "./github-pack.ts")).openGithub(...given),
  },
  graph: { open: openGraph },
};

/** Opens the built-in packs that may have the wanted ids. */
export async function openPacks(
  config: EffectiveConfig,
  around: Surroundings,
  wanted: Wanted,
): Promise<Source[]> {
  const opened = config.packs.map((name) => PACKS[name].open(config, around, wanted));
  return (await Promise.all(opened)).flat();
}
