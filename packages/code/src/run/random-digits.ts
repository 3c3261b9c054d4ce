import { randomInt } from "node:crypto";

const DIGITS = 12;

/**
 * Twelve random digits, enough to distinguish the runs of a caller. Three digits are one token for
 * a model; with letters, only two would be.
 */
export function randomDigits(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}
