const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX_LENGTH = 8;
/** The length of the counter: four digits in base 36. */
const MAX_COUNT = 36 ** 4 - 1;

let counter = MAX_COUNT;
let prefix = "";

function randomLetter(): string {
  return LETTERS[Math.floor(Math.random() * LETTERS.length)]!;
}

/**
 * A prefix with 47 random bits, so that thousands of processes on one transport have different
 * prefixes. It does not use a cryptographic generator, because ids are never secret and loading the
 * generator takes longer than a call.
 */
function randomPrefix(): string {
  return Array.from({ length: PREFIX_LENGTH }, randomLetter).join("");
}

/**
 * Returns an id that is unique in this process by counting, and across processes by a random
 * prefix. A new prefix is drawn when the count is used up. An id has at most twelve characters,
 * because V8 stores such a joined string flat, which makes it a cheap key.
 */
export function nextRequestId(): string {
  if (counter === MAX_COUNT) {
    prefix = randomPrefix();
    counter = 0;
  }
  counter += 1;
  return prefix + counter.toString(36);
}
