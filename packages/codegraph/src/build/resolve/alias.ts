/** A name and where it leads, from the folder of the settings. */
export interface Alias {
  /** Empty for a folder that names are looked for in, as in `modulePaths`. */
  readonly name: string;
  readonly place: string;
  /** `name$` of webpack: the name alone, and nothing below it. */
  readonly isExact: boolean;
}
