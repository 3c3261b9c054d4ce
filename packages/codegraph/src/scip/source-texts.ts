/** The files on the disk, as an overlay needs them. */
export interface SourceTexts {
  /** When a file was changed last, in milliseconds since 1970; undefined if it cannot be read. */
  changedAt(path: string): number | undefined;
  lines(path: string): readonly string[];
}
