/** Words are cut to this length, because nobody types longer names by hand. */
const MAX_LENGTH = 80;

/** Normalises a name: `issueNumber`, `issue_number` and `Issue-Number` count as the same name. */
function normalisedWord(word: string): string {
  return word
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]/gu, "");
}

function isSwap(a: string, b: string, i: number, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
}

/**
 * The edit distance, where swapped neighbours count as one edit. Returns Infinity as soon as it
 * exceeds `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (isSwap(a, b, i, j)) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return Infinity;
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/**
 * The allowed edit distance. It is 0 for one letter, because replacing that letter makes another
 * word.
 */
function tolerance(word: string): number {
  return word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
}

/**
 * The distance of a plural to its singular. It is half an edit, so that an exact name comes
 * first.
 */
const PLURAL = 0.5;

/** The distance to a name, or to its singular if that is nearer: `lable` means `labels`. */
function distanceTo(word: string, name: string, limit: number): number {
  const whole = editDistance(word, name, limit);
  if (!name.endsWith("s") || word.endsWith("s")) return whole;
  return Math.min(whole, editDistance(word, name.slice(0, -1), limit) + PLURAL);
}

/** The candidates that a mistyped word most likely meant, nearest first. Empty if none is near. */
export function nearestNames(word: string, candidates: Iterable<string>, count = 3): string[] {
  const wanted = normalisedWord(word);
  if (wanted === "") return [];
  const limit = tolerance(wanted);
  const scored: { name: string; distance: number }[] = [];
  for (const name of candidates) {
    const distance = distanceTo(wanted, normalisedWord(name), limit);
    if (distance < limit + 1) scored.push({ name, distance });
  }
  return scored
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}
