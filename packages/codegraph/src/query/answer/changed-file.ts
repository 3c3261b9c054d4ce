/** A file that differs from what it was. */
export interface ChangedFile {
  /** Relative to the root. */
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** Where it was before, when it was renamed. */
  readonly from?: string;
  /**
   * First and last of the lines that are new, 1-based; none for a file that is gone. Where lines only
   * went away, the last is the one before that place and the first the one after it.
   */
  readonly lines: readonly (readonly [number, number])[];
}
