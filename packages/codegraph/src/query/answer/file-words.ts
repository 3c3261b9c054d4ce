/** The terms of a search that occur in each file. */
export interface FileWords {
  readonly fileCount: number;
  /** How many files have the term at a position of the list. */
  filesWith(term: number): number;
  /** The terms that a file has, as bits by their position. */
  termsIn(file: number): number;
}

/** The most terms that bits can tell apart. */
export const MAX_TERMS = 30;
