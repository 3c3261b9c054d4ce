import type { CapabilityListItem } from "@waybill/core";
import { note, printJson, printText } from "./io.ts";
import type { Io } from "./io.ts";

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
