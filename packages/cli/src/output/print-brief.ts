import { isStandingWarning } from "@waybill/core/protocol";
import type { Io } from "../io.ts";
import { printRaw } from "../io.ts";

interface Warned {
  readonly warnings?: readonly string[];
}

/**
 * Prints brief text. Each command is a new process, so a warning that applies to all calls is shown
 * once per hour.
 */
export async function printBrief(
  io: Io,
  { warnings = [] }: Warned,
  write: (shown: Set<string>) => string,
): Promise<void> {
  if (!warnings.some(isStandingWarning)) return printRaw(io, write(new Set()));
  const { keepShown, readShown, stateFiles, stateFolder } = await import("@waybill/state/files");
  const path = stateFiles(stateFolder(io.env)).shown;
  const shown = await readShown(path);
  await printRaw(io, write(shown));
  await keepShown(path, shown);
}
