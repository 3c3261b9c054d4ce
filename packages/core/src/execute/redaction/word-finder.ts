/** Whether a text contains one of the words, in upper or lower case. */
export type WordFinder = (text: string) => boolean;

const TABLE_SIZE = 4_096;

/** Clears the bits in which upper-case, lower-case and full-width letters differ. */
const LETTER = ~0x60;

function getSlot(first: number, second: number): number {
  return ((first & LETTER) * 31 + (second & LETTER) * 7) & (TABLE_SIZE - 1);
}

/** For each pair of characters, its distance from the end of the nearest word. */
function skipTable(words: readonly string[], length: number): Uint8Array {
  const table = new Uint8Array(TABLE_SIZE).fill(length - 1);
  for (const word of words) {
    for (let at = 1; at < length; at++) {
      const slot = getSlot(word.charCodeAt(at - 1), word.charCodeAt(at));
      table[slot] = Math.min(table[slot]!, length - 1 - at);
    }
  }
  return table;
}

/**
 * Searches for many words in one pass that skips most characters (Wu–Manber). Every answer is
 * searched, and a search for each word would be several times slower.
 */
export function wordFinder(given: readonly string[]): WordFinder {
  const length = Math.min(255, ...given.map((word) => word.length));
  if (given.length === 0) return () => false;
  const words = new Map<string, string[]>();
  for (const word of given.map((each) => each.toLowerCase())) {
    const start = word.slice(0, length);
    words.set(start, [...(words.get(start) ?? []), word]);
  }
  const skips = skipTable([...words.keys()], length);
  const hasAt = (text: string, at: number): boolean =>
    words
      .get(text.slice(at, at + length).toLowerCase())
      ?.some((word) => text.slice(at, at + word.length).toLowerCase() === word) === true;
  return (text) => {
    for (let at = length - 1; at < text.length;) {
      const skip = skips[getSlot(text.charCodeAt(at - 1), text.charCodeAt(at))]!;
      if (skip === 0 && hasAt(text, at - length + 1)) return true;
      at += skip === 0 ? 1 : skip;
    }
    return false;
  };
}
