import { signatureText } from "./explain.ts";
import type { CapabilityListItem } from "./explain.ts";
import type { ListCapabilitiesOptions, Waybill } from "./waybill.ts";

/** The maximum number of lines. An agent rarely needs more to choose from. */
const MAX_LINES = 5;

type Questions = Pick<Waybill, "list_capabilities" | "operations">;

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

/**
 * Writes the results of a search as at most five lines, each with a signature. A search opens no
 * source, so an operation of an unopened source has only its id.
 */
export async function signatureLines(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<string[]> {
  const items = await bestItems(waybill, options);
  const ids = items.map(({ capability_id }) => capability_id);
  const specs = await waybill.operations(ids, { opensSources: false });
  const signatures = new Map(specs.map((spec) => [spec.id, signatureText(spec)]));
  return items.map(
    ({ capability_id, description }) =>
      `${signatures.get(capability_id) ?? capability_id} ${description}`,
  );
}
