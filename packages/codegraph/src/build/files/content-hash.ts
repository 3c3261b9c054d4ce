/** Eight bytes that show whether a touched file has really changed. */
export interface ContentHash {
  readonly hashLow: number;
  readonly hashHigh: number;
}

const LOW = 0x9e3779b1;
const HIGH = 0x5f356495;

/**
 * The hash of the first bytes of a buffer, which must start at the start of its memory. It is not
 * cryptographic, because loading a cryptographic library takes longer than hashing thousands of
 * files.
 */
export function contentHash(bytes: Uint8Array): ContentHash {
  const { length, buffer } = bytes;
  const count = length >> 2;
  const words = new Int32Array(buffer, 0, count);
  let low = LOW ^ length;
  let high = HIGH ^ length;
  for (let at = 0; at < count; at++) {
    low = Math.imul(low ^ words[at]!, LOW);
    low ^= low >>> 15;
    high = Math.imul(high ^ words[at]!, HIGH);
    high ^= high >>> 13;
  }
  for (let at = count * 4; at < length; at++) {
    low = Math.imul(low ^ bytes[at]!, LOW);
    low ^= low >>> 15;
    high = Math.imul(high ^ bytes[at]!, HIGH);
    high ^= high >>> 13;
  }
  return { hashLow: low >>> 0, hashHigh: Math.imul(high ^ low, LOW) >>> 0 };
}
