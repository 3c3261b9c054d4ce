/** The terms of a search that occur in each file. */
export interface FileWords {
  readonly fileCount: number;
  /** How many files contain the term at this position. */
  filesWith(term: number): number;
  /** The terms in a file, as bits by position. */
  termsIn(file: number): number;
  /** The terms in the path of a file, as bits by position. */
  termsInPath(file: number): number;
}

/** The most terms that fit into the bits. */
export const MAX_TERMS = 30;
