import type { FoundSignature } from "../router/index.ts";
import type { CapabilityListItem } from "./explain.ts";
import type { ListCapabilitiesOptions } from "./options/list-options.ts";

/** The maximum number of results. An agent rarely needs more to choose from. */
const MAX_LINES = 5;

/** The questions that a search asks a Waybill. */
export interface Questions {
  readonly list_capabilities: (options?: ListCapabilitiesOptions) => Promise<CapabilityListItem[]>;
  readonly signatures: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** The best matches. A raw operation of a pack is included only if it is the best match. */
async function bestItems(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<CapabilityListItem[]> {
  const found = await waybill.list_capabilities(options);
  const listed = await waybill.list_capabilities({ wait_ms: 0 });
  const known = new Set(listed.map(({ capability_id }) => capability_id));
  const best = found.filter(
    ({ origin, capability_id }, place) =>
      place === 0 || origin !== "pack" || known.has(capability_id),
  );
  return best.slice(0, MAX_LINES);
}

/** The results of a search, at most five. The id replaces a signature that is not known. */
export async function findSignatures(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<FoundSignature[]> {
  const items = await bestItems(waybill, options);
  const signatures = await waybill.signatures(items.map(({ capability_id }) => capability_id));
  return items.map(({ capability_id: id, description }, place) => ({
    id,
    signature: signatures[place]!,
    description,
  }));
}

/** Writes the results of a search as at most five lines, each with a signature. */
export async function signatureLines(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<string[]> {
  const found = await findSignatures(waybill, options);
  return found.map(({ signature, description }) => `${signature} ${description}`);
}
