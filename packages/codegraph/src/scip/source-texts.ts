/** Reads files on disk, to find out which ones have changed since a SCIP index was written. */
export interface SourceTexts {
  /** When a file was changed last, in milliseconds since 1970; undefined if it cannot be read. */
  changedAt(path: string): number | undefined;
  lines(path: string): readonly string[];
}
