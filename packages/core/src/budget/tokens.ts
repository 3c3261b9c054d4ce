import { pieceCost } from "./merge.ts";
import { pieceEnd } from "./pieces.ts";

/** The smallest budget that holds an envelope and something in it. */
export const MIN_TOKENS = 200;

/** The order of the later tokens is known only roughly, and bytes may join across characters. */
const MARGIN = 1.02;
const SPREAD = 3;

function areDigits(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Up to three digits are always one token, and so is a sign or a letter by itself. */
function isOneToken(text: string, start: number, end: number): boolean {
  const isOne = end === start + 1 && text.charCodeAt(start) < 0x80;
  return isOne || areDigits(text, start, end);
}

/**
 * The estimate without the allowance for short strings, to be added up over the parts of a string.
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
 * How many tokens a model reads in a text, by the o200k encoding, and never fewer. The text is
 * encoded as there but with the more common tokens alone: that is how the encoding begins, and
 * every token it makes after that leaves fewer. Until `loadTokenList` has ended, it is a far higher
 * number.
 */
export function estimateTokens(text: string): number {
  return text === "" ? 0 : Math.ceil(tokenCost(text)) + SPREAD;
}
