import type { OperationSpec } from "../operation/index.ts";
import type { FoundSignature } from "../router/index.ts";
import { signatureText } from "./explain.ts";
import type { CapabilityListItem } from "./explain.ts";
import type { ListCapabilitiesOptions } from "./options/list-options.ts";

/** The maximum number of results. An agent rarely needs more to choose from. */
const MAX_LINES = 5;

/** The questions that a search asks a Waybill. */
export interface Questions {
  readonly list_capabilities: (options?: ListCapabilitiesOptions) => Promise<CapabilityListItem[]>;
  readonly operations: (
    patterns?: readonly string[],
    options?: { readonly opensSources?: boolean },
  ) => Promise<OperationSpec[]>;
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

/**
 * The signatures of found capabilities. The sources of a pack are opened, because they are part of this
 * program. Other sources may start a process or need the network, so they are not opened.
 */
async function signaturesFor(
  waybill: Questions,
  items: readonly CapabilityListItem[],
): Promise<ReadonlyMap<string, string>> {
  const ids = items.map(({ capability_id }) => capability_id);
  const open = await waybill.operations(ids, { opensSources: false });
  const known = new Set(open.map(({ id }) => id));
  const unopened = items
    .filter(({ origin, capability_id }) => origin === "pack" && !known.has(capability_id))
    .map(({ capability_id }) => capability_id);
  const opened = unopened.length === 0 ? [] : await waybill.operations(unopened);
  return new Map([...open, ...opened].map((spec) => [spec.id, signatureText(spec)]));
}

/** The results of a search, at most five. Where no signature is known, the id stands for it. */
export async function findSignatures(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<FoundSignature[]> {
  const items = await bestItems(waybill, options);
  const signatures = await signaturesFor(waybill, items);
  return items.map(({ capability_id: id, description }) => ({
    id,
    signature: signatures.get(id) ?? id,
    description,
  }));
}

/**
 * Writes the results of a search as at most five lines, each with a signature. An operation of an
 * unopened source that is not a pack has only its id.
 */
export async function signatureLines(
  waybill: Questions,
  options: ListCapabilitiesOptions,
): Promise<string[]> {
  const found = await findSignatures(waybill, options);
  return found.map(({ signature, description }) => `${signature} ${description}`);
}
