import { pieceCost } from "./merge.ts";
import { pieceEnd } from "./pieces.ts";

/** The smallest budget that can hold an envelope with some data. */
export const MIN_TOKENS = 200;

/**
 * A margin, because the merge order of rarer tokens is only roughly known and bytes may join
 * across characters.
 */
const MARGIN = 1.02;
const SPREAD = 3;

function areDigits(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Up to three digits are always one token, and so is a single sign or letter. */
function isOneToken(text: string, start: number, end: number): boolean {
  const isOne = end === start + 1 && text.charCodeAt(start) < 0x80;
  return isOne || areDigits(text, start, end);
}

/**
 * The estimate without the margin for short strings. The estimates of the parts of a string can
 * be added.
 */
export function tokenCost(text: string): number {
  let cost = 0;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start);
    cost += isOneToken(text, start, end) ? 1 : pieceCost(text, start, end);
    start = end;
  }
  return cost * MARGIN;
}

/**
 * The number of o200k tokens of a text, never too low. The text is encoded with only the more
 * common tokens. The real encoding starts the same way, and every further token reduces the count.
 * Before `loadTokenList` has ended, the number is much higher.
 */
export function estimateTokens(text: string): number {
  return text === "" ? 0 : Math.ceil(tokenCost(text)) + SPREAD;
}
