/** The files on disk, for an overlay. */
export interface SourceTexts {
  /** When a file was changed last, in milliseconds since 1970; undefined if it cannot be read. */
  changedAt(path: string): number | undefined;
  lines(path: string): readonly string[];
}
