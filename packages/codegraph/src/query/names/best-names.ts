import { hasInOrder, scoreFuzzy, scoreMatch } from "./search-score.ts";
import type { Wanted } from "./search-score.ts";

type Score = (wanted: Wanted, name: string, lower: string) => number;

/** Ways to match: first names that contain the text; separate letters only if there are none. */
export const WAYS: readonly Score[] = [scoreMatch, scoreFuzzy];

export interface Names {
  readonly letters: Uint32Array;
  readonly lower: readonly string[];
  readonly nameAt: (at: number) => string;
}

export interface Place {
  readonly at: number;
  readonly score: number;
}

const STEPS = 200;

/** Names that contain the letters in order, which every way to match requires. */
function candidatesIn({ letters, lower }: Names, wanted: Wanted): number[] {
  const { letters: needed, lower: text } = wanted;
  const places: number[] = [];
  for (let at = 0; at < letters.length; at++) {
    if ((needed & ~letters[at]!) !== 0) continue;
    if (hasInOrder(text, lower[at]!)) places.push(at);
  }
  return places;
}

/** Matches text with names. All methods share the same candidates. */
export class NameSearch {
  readonly #names: Names;
  readonly #wanted: Wanted;
  readonly #candidates: readonly number[];

  constructor(names: Names, wanted: Wanted) {
    this.#names = names;
    this.#wanted = wanted;
    this.#candidates = candidatesIn(names, wanted);
  }

  /**
   * The positions of the best names. Scores are counted by size first, so that a query that matches
   * everything stays cheap.
   */
  best(score: Score, most: number, isIn: (at: number) => boolean = () => true): Place[] {
    const scores = this.#scores(score, isIn);
    const floor = getFloor(scores, most);
    const places: Place[] = [];
    for (let index = 0; index < scores.length && places.length < most * 2; index++) {
      const found = scores[index]!;
      if (found > 0 && Math.floor(found * STEPS) > floor) {
        places.push({ at: this.#candidates[index]!, score: found });
      }
    }
    const lengthAt = (at: number): number => this.#names.lower[at]!.length;
    return places
      .toSorted((a, b) => b.score - a.score || lengthAt(a.at) - lengthAt(b.at))
      .slice(0, most);
  }

  #scores(score: Score, isIn: (at: number) => boolean): Float64Array {
    const { nameAt, lower } = this.#names;
    return Float64Array.from(this.#candidates, (at) =>
      isIn(at) ? score(this.#wanted, nameAt(at), lower[at]!) : 0,
    );
  }
}

/** The score that a name must exceed to be one of the best `most` names. */
function getFloor(scores: Float64Array, most: number): number {
  const counts = new Uint32Array(STEPS + 1);
  for (const found of scores) if (found > 0) counts[Math.floor(found * STEPS)]! += 1;
  let floor = STEPS;
  for (let room = most; floor > 0 && room > 0; floor--) room -= counts[floor]!;
  return floor;
}
