import type { Source } from "@waybill/core";
import { placedSource } from "@waybill/core/cards";
import { stateFiles } from "@waybill/state/files";
import { KeptIndex, keptSource, openUnlessKept } from "@waybill/state/kept-index";
import { version } from "../version.ts";
import type { Surroundings } from "./sources/surroundings.ts";

/** A part of a pack that is opened when one of its operations is called. */
interface LatePack extends Pick<Source, "name" | "route" | "raw" | "meantIds"> {
  readonly open: () => Promise<Source>;
  /** The files that the pack was read from; known only after it was opened. */
  readonly documents?: () => readonly string[];
}

/** A pack that is searched by its stored index. */
export async function keptPack(
  { name, route, raw = false, meantIds, open, documents = () => [] }: LatePack,
  { state }: Surroundings,
): Promise<Source> {
  const index = new KeptIndex(stateFiles(state).index, `${name} ${route} ${version()}`);
  const opening = await openUnlessKept(index, open);
  const common = { name, ...(route !== undefined && { route }), documents, index };
  const place = { origin: "pack", raw, ...(meantIds !== undefined && { meantIds }) } as const;
  return placedSource(keptSource({ ...common, open: opening }), place);
}
