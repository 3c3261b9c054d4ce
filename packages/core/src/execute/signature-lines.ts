import { signatureText, toListItem } from "./explain.ts";
import type { ListCapabilitiesOptions, Waybill } from "./waybill.ts";

/** More than an agent needs to choose from. */
const MAX_LINES = 5;

type Questions = Pick<Waybill, "list_capabilities" | "operations">;

/** The ids that were found. A raw request of a pack is among them only if it fits best. */
async function bestIds(waybill: Questions, options: ListCapabilitiesOptions): Promise<string[]> {
  const found = await waybill.list_capabilities(options);
  const listed = await waybill.list_capabilities({ wait_ms: 0 });
  const known = new Set(listed.map(({ capability_id }) => capability_id));
  const best = found.filter(
    ({ origin, capability_id }, place) =>
      place === 0 || origin !== "pack" || known.has(capability_id),
  );
  return best.slice(0, MAX_LINES).map(({ capability_id }) => capability_id);
}

/** Writes what a search found as at most five lines that can be called as they stand. */
export async function signatureLines(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<string[]> {
  const specs = await waybill.operations(await bestIds(waybill, options));
  return specs.map((spec) => `${signatureText(spec)} ${toListItem(spec).description}`);
}
