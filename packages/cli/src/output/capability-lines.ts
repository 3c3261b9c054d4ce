import type { CapabilityListItem, ListCapabilitiesOptions, Waybill } from "@waybill/core";
import { missingSources } from "@waybill/core/protocol";
import { note, printJson, printText, warn } from "../io.ts";
import type { Io } from "../io.ts";
import { withWaybill } from "../waybill/index.ts";
import type { Wanted } from "../waybill/index.ts";

/**
 * Lists or searches capabilities, then prints one line that names the sources missing from the
 * result.
 */
export function askCapabilities<T>(
  io: Io,
  ask: (waybill: Waybill) => Promise<T>,
  wanted: Wanted,
): Promise<T> {
  return withWaybill(
    io,
    async (waybill) => {
      const items = await ask(waybill);
      const missing = missingSources(waybill.sources().filter(({ trusted }) => trusted));
      if (missing !== undefined)
        await warn(io, [`${missing}; run waybill source check to see why`]);
      return items;
    },
    wanted,
    { namesMissing: true },
  );
}

export function listCapabilities(
  io: Io,
  options: ListCapabilitiesOptions,
  wanted: Wanted,
): Promise<readonly CapabilityListItem[]> {
  return askCapabilities(io, (waybill) => waybill.list_capabilities(options), wanted);
}

/**
 * Prints JSON, or one line with id and description per capability. Also tells the user if nothing
 * was found.
 */
export async function printCapabilities(
  io: Io,
  items: readonly CapabilityListItem[],
  isJson: boolean,
  whenNone: string,
): Promise<void> {
  if (items.length === 0) await note(io, `waybill: ${whenNone}`);
  if (isJson) return printJson(io, items);
  if (items.length === 0) return;
  const lines = items.map(({ capability_id, description }) => `${capability_id} ${description}`);
  return printText(io, lines.join("\n"));
}
