const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX_LENGTH = 8;
/** Four digits of base 36. */
const MAX_COUNT = 36 ** 4 - 1;

let counter = MAX_COUNT;
let prefix = "";

function randomLetter(): string {
  return LETTERS[Math.floor(Math.random() * LETTERS.length)]!;
}

/**
 * 47 random bits: thousands of processes may share a transport and not share a prefix. Ids are
 * counted and so never a secret; randomness fit for secrets would take longer to load than a call.
 */
function randomPrefix(): string {
  return Array.from({ length: PREFIX_LENGTH }, randomLetter).join("");
}

/**
 * Unique in this process by counting and across processes by a random start, drawn again when the
 * count is used up. At most twelve characters: up to there a joined string is stored flat, which
 * makes it cheap as a key.
 */
export function nextRequestId(): string {
  if (counter === MAX_COUNT) {
    prefix = randomPrefix();
    counter = 0;
  }
  counter += 1;
  return prefix + counter.toString(36);
}
