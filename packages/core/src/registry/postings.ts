/** Where a word occurs: the numbers of operations, and its weight in each. */
export interface Postings {
  readonly documents: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** The words of some operations, and where each occurs. */
export interface WordIndex {
  /** Number of operations in it. */
  readonly size: number;
  /** The sum of the weights of all words of an operation. */
  lengthAt(number: number): number;
  /** The operations that contain a word. */
  find(word: string): Postings | undefined;
  /** How many operations contain a word. */
  count(word: string): number;
  /** The words that begin with this letter. */
  beginningWith(initial: string): Iterable<string>;
}

/** A word in several indexes. The operations are numbered across all of them. */
export interface FoundWord {
  readonly count: number;
  readonly parts: readonly (Postings & { readonly base: number })[];
}
