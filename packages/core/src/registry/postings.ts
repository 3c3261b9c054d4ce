/** Where a word occurs: numbers of operations, and how much it weighs in each. */
export interface Postings {
  readonly documents: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** The words of a number of operations, and where each stands. */
export interface WordIndex {
  readonly size: number;
  /** The weights of all words of an operation together. */
  lengthAt(number: number): number;
  find(word: string): Postings | undefined;
  /** How many operations have a word. */
  count(word: string): number;
  /** The words that begin with this letter. */
  beginningWith(initial: string): Iterable<string>;
}

/** A word in several indexes, whose operations are numbered one after the other. */
export interface FoundWord {
  readonly count: number;
  readonly parts: readonly (Postings & { readonly base: number })[];
}
