/** Tells whether a text contains any of some words. */
export type WordFinder = (text: string) => boolean;

const TABLE_SIZE = 4_096;

function slotOf(first: number, second: number): number {
  return (first * 31 + second * 7) & (TABLE_SIZE - 1);
}

/** The pairs of characters of each word with their distance from its end. */
function skipTable(words: readonly string[], length: number): Uint8Array {
  const table = new Uint8Array(TABLE_SIZE).fill(length - 1);
  for (const word of words) {
    for (let at = 1; at < length; at++) {
      const slot = slotOf(word.charCodeAt(at - 1), word.charCodeAt(at));
      table[slot] = Math.min(table[slot]!, length - 1 - at);
    }
  }
  return table;
}

/**
 * Looks for many words in one pass that skips most characters (Wu–Manber). It runs over every
 * answer, where one search for each word would cost several times as much.
 */
export function wordFinder(given: readonly string[]): WordFinder {
  const length = Math.min(255, ...given.map((word) => word.length));
  if (given.length === 0 || length < 2) return (text) => given.some((word) => text.includes(word));
  const words = new Set(given.map((word) => word.slice(0, length)));
  const skips = skipTable([...words], length);
  return (text) => {
    for (let at = length - 1; at < text.length;) {
      const skip = skips[slotOf(text.charCodeAt(at - 1), text.charCodeAt(at))]!;
      if (skip === 0 && words.has(text.slice(at - length + 1, at + 1))) return true;
      at += skip === 0 ? 1 : skip;
    }
    return false;
  };
}
