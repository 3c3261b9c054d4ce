import { randomInt } from "node:crypto";

/** The number of digits: enough to distinguish the runs of a caller. */
export const KEY_DIGITS = 12;

/** Returns random digits, because a model reads three digits as one token, but only two letters. */
export function randomDigits(count = KEY_DIGITS): string {
  return String(randomInt(10 ** count)).padStart(count, "0");
}
