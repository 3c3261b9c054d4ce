import type { CapabilityListItem, ListCapabilitiesOptions } from "@waybill/core";
import { missingSources } from "@waybill/core/protocol";
import { note, printJson, printText, warn } from "./io.ts";
import type { Io } from "./io.ts";
import { withWaybill } from "./waybill/index.ts";
import type { Wanted } from "./waybill/index.ts";

/** Lists capabilities, and names the sources that are missing from the list in one line. */
export function listCapabilities(
  io: Io,
  options: ListCapabilitiesOptions,
  wanted: Wanted,
): Promise<readonly CapabilityListItem[]> {
  return withWaybill(
    io,
    async (waybill) => {
      const items = await waybill.list_capabilities(options);
      const missing = missingSources(waybill.sources().filter(({ trusted }) => trusted));
      if (missing !== undefined) await warn(io, [`${missing}; waybill source check says why`]);
      return items;
    },
    wanted,
    { namesMissing: true },
  );
}

/** `id description` a line, or JSON; nothing found is no answer but a note. */
export async function printCapabilities(
  io: Io,
  items: readonly CapabilityListItem[],
  isJson: boolean,
  whenNone: string,
): Promise<void> {
  if (isJson) return printJson(io, items);
  if (items.length === 0) return note(io, `waybill: ${whenNone}`);
  const lines = items.map(({ capability_id, description }) => `${capability_id} ${description}`);
  return printText(io, lines.join("\n"));
}
