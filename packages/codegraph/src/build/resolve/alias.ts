/** A name with its target, relative to the folder of the settings. */
export interface Alias {
  /** The name; empty for a folder in which every module is searched, as in `modulePaths`. */
  readonly name: string;
  readonly place: string;
  /** Whether only the name itself matches and nothing below it, as `name$` in webpack. */
  readonly isExact: boolean;
}
