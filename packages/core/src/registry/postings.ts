/** The operations in which a word occurs, by number, and its weight in each. */
export interface Postings {
  readonly documents: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** The words of some operations, and the operations in which each occurs. */
export interface WordIndex {
  /** Number of operations in the index. */
  readonly size: number;
  /** The sum of the weights of all words of an operation. */
  lengthAt(number: number): number;
  /** The operations that contain a word. */
  find(word: string): Postings | undefined;
  /** How many operations contain a word. */
  count(word: string): number;
  /** The words that start with this letter. */
  beginningWith(initial: string): Iterable<string>;
}

/** A word in several indexes, with operations numbered across all of them. */
export interface FoundWord {
  readonly count: number;
  readonly parts: readonly (Postings & { readonly base: number })[];
}
