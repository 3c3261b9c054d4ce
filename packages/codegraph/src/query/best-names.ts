import { scoreFuzzy, scoreMatch } from "./search-score.ts";
import type { Wanted } from "./search-score.ts";

type Score = (wanted: Wanted, name: string, lower: string) => number;

/** First what has the text, and letters apart only where nothing does. */
export const WAYS: readonly Score[] = [scoreMatch, scoreFuzzy];

export interface Names {
  readonly count: number;
  readonly letters: Uint32Array;
  readonly lower: readonly string[];
  nameAt(at: number): string;
}

export interface Place {
  readonly at: number;
  readonly score: number;
}

const STEPS = 200;

/**
 * The places of the best names. Scores are counted by size before anything is kept, so that a
 * query which matches everything costs no more than one that matches little.
 */
export function bestNames(
  names: Names,
  wanted: Wanted,
  score: Score,
  most: number,
  isIn: (at: number) => boolean = () => true,
): Place[] {
  const scores = new Float64Array(names.count);
  const counts = new Uint32Array(STEPS + 1);
  for (let at = 0; at < names.count; at++) {
    if ((wanted.letters & ~names.letters[at]!) !== 0 || !isIn(at)) continue;
    const found = score(wanted, names.nameAt(at), names.lower[at]!);
    scores[at] = found;
    if (found > 0) counts[Math.floor(found * STEPS)]! += 1;
  }
  let floor = STEPS;
  for (let room = most; floor > 0 && room > 0; floor--) room -= counts[floor]!;
  const places: Place[] = [];
  for (let at = 0; at < names.count && places.length < most * 2; at++) {
    const found = scores[at]!;
    if (found > 0 && Math.floor(found * STEPS) > floor) places.push({ at, score: found });
  }
  return places
    .toSorted((a, b) => b.score - a.score || names.lower[a.at]!.length - names.lower[b.at]!.length)
    .slice(0, most);
}
