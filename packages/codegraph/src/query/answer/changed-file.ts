/** A file that has changed. */
export interface ChangedFile {
  /** The path relative to the root. */
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** The old path of a renamed file. */
  readonly from?: string;
  /**
   * The first and last line of each new range, 1-based; empty for a deleted file. If lines were
   * only removed, the first is the line after that place and the last the line before it.
   */
  readonly lines: readonly (readonly [number, number])[];
}
