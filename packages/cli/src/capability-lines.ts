import type { CapabilityListItem } from "@waybill/core";
import type { Words } from "./command.ts";
import { note, printJson, printText } from "./io.ts";
import type { Io } from "./io.ts";

/** A terminal gets text, and so does `--brief`; everything else gets JSON. */
export function wantsJson({ switches }: Pick<Words, "switches">, { isTTY }: Io): boolean {
  return switches.has("json") || (!isTTY && !switches.has("brief"));
}

/** JSON, or `id description` a line; a note says that nothing was found. */
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
