/** The multiples of ten that a random byte can be reduced from without a bias. */
const UNBIASED_BYTES = 250;

/**
 * Random digits for what an agent reads and sends. A model reads three digits as one token, but
 * only one or two letters, and every value has the same number of tokens.
 */
export function randomDigits(count: number): string {
  let digits = "";
  while (digits.length < count) {
    const bytes = crypto.getRandomValues(new Uint8Array(count));
    for (const byte of bytes) if (byte < UNBIASED_BYTES) digits += byte % 10;
  }
  return digits.slice(0, count);
}
