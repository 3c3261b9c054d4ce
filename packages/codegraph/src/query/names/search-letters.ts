const LOWER_A = 97;
const LOWER_Z = 122;
const ZERO = 48;
const NINE = 57;
const DIGIT_BIT = 26;
const OTHER_BIT = 31;

/** The letters of a text as bits. Two digits share a bit, and so do all other characters. */
export function readLetters(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= LOWER_A && code <= LOWER_Z) letters |= 1 << (code - LOWER_A);
    else if (code >= ZERO && code <= NINE) letters |= 1 << (DIGIT_BIT + ((code - ZERO) >> 1));
    else letters |= 1 << OTHER_BIT;
  }
  return letters >>> 0;
}

/** How many letters of the first are missing in the second. */
export function missingLetters(wanted: number, has: number): number {
  const rest = wanted & ~has;
  // Counts the bits in pairs, then fours, then bytes. This is fast, and it runs for every name of a
  // tree.
  const pairs = rest - ((rest >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
