import { NO_FAULT } from "../types.ts";
import type { Outcome } from "../types.ts";

/** Explains how to read the table of recoveries. */
export function troubleNote({ played, absent }: Outcome): string {
  const met = played.filter(({ variant }) => variant === "fault").length;
  const unmet = absent.filter(({ why }) => why.startsWith(NO_FAULT)).length;
  const repeated = played.reduce((sum, play) => sum + (play.repeated ?? 0), 0);
  const doubled = played.reduce((sum, play) => sum + (play.doubled ?? 0), 0);
  return [
    "The table shows the average extra cost, compared with the same scenarios without a fault or a wrong guess.",
    `${unmet} of ${met + unmet} plays with a fault sent no request that the fault applies to. They are left out, and listed below.`,
    `Writes that were applied too often, in all modes together: ${doubled}. Harmless repeats that did not change GitHub: ${repeated}.`,
  ].join(" ");
}
