import { signatureText } from "./explain.ts";
import type { CapabilityListItem } from "./explain.ts";
import type { ListCapabilitiesOptions, Waybill } from "./waybill.ts";

/** More than an agent needs to choose from. */
const MAX_LINES = 5;

type Questions = Pick<Waybill, "list_capabilities" | "operations">;

/** The operations that were found. A raw request of a pack is among them only if it fits best. */
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
 * Writes what a search found as at most five lines that can be called as they stand. A search opens
 * no source, so an operation of a source that is not open has its id instead of its signature.
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
