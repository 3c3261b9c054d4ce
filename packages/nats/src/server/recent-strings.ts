const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/**
 * Returns a separator after the first string, which no string contains. It keeps different pairs
 * with the same joined text apart.
 */
function unitAfter(more: string, index: number): number {
  return index === 0 ? 0x10000 : more.charCodeAt(index - 1);
}

/**
 * The last few thousand strings, used to detect repeats. Each is stored as a hash of 64 bits in
 * a table of fixed size, because long-lived strings would cost the garbage collector more than a
 * whole call.
 */
export class RecentStrings {
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;

  /** @param bits the number of slots, as a power of two */
  constructor(bits: number) {
    this.#mask = 2 ** bits - 1;
    this.#first = new Int32Array(2 ** bits);
    this.#second = new Int32Array(2 ** bits);
  }

  /** Adds two strings as one, without joining them. Returns false if they were already there. */
  add(text: string, more: string): boolean {
    let [first, second] = [OFFSET, 0];
    const { length } = text;
    for (let index = 0; index <= length + more.length; index++) {
      const unit = index < length ? text.charCodeAt(index) : unitAfter(more, index - length);
      first = Math.imul(first ^ unit, PRIME);
      second = Math.imul(second + unit, OTHER_PRIME) ^ (second >>> 15);
    }
    const place = first & this.#mask;
    if (this.#first[place] === first && this.#second[place] === second) return false;
    this.#first[place] = first;
    this.#second[place] = second;
    return true;
  }
}
