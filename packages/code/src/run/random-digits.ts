import { randomInt } from "node:crypto";

const DIGITS = 12;

/**
 * Twelve random digits: enough to tell the runs of a caller apart. Agents pay for what they read and
 * write, and three digits are one token, as few as two letters are.
 */
export function randomDigits(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}
