const LOWER_A = 97;
const LOWER_Z = 122;
const ZERO = 48;
const NINE = 57;
const DIGIT_BIT = 26;
const OTHER_BIT = 27;

/** The letters of a text as bits; digits share one and so do all other characters. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= LOWER_A && code <= LOWER_Z) letters |= 1 << (code - LOWER_A);
    else if (code >= ZERO && code <= NINE) letters |= 1 << DIGIT_BIT;
    else letters |= 1 << OTHER_BIT;
  }
  return letters >>> 0;
}

/** How many letters the one has that the other lacks. */
export function missingLetters(wanted: number, has: number): number {
  let rest = (wanted & ~has) >>> 0;
  let count = 0;
  for (; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
