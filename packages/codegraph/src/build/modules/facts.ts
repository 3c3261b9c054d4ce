import type { Confidence, GapKind, ImportKind, ParseState } from "../../graph/index.ts";

/** One place where a file names another module. */
export interface Request {
  readonly specifier: string;
  readonly kind: Exclude<ImportKind, "annotation">;
  readonly line: number;
  readonly column: number;
  readonly typeOnly: boolean;
  readonly confidence: Confidence;
  /** The names it takes, as the other module exports them; `*` means all. */
  readonly names: readonly TakenName[];
  /** True where the text may mean something else, so that leading nowhere is no gap. */
  readonly optional?: boolean;
  /** The function that is called instead of `require`. */
  readonly by?: string;
}

export interface TakenName {
  readonly name: string;
  readonly typeOnly: boolean;
  /** Where it is first used, if that is not where the request stands. */
  readonly line?: number;
}

/** A name that a file offers. */
export interface ExportFact {
  readonly name: string;
  readonly line: number;
  readonly typeOnly: boolean;
  /** The request that it is passed on from, and its name there; `*` is the module itself. */
  readonly from?: number;
  readonly imported?: string;
  /** Whether it is assigned to `exports`, or is `module.exports` itself. */
  readonly assigned?: boolean;
  /** The request of the module that the name means where nothing else there is called so. */
  readonly orModule?: number;
}

/** `export * from`: the place of its request. */
export interface StarFact {
  readonly from: number;
  readonly line: number;
  readonly typeOnly: boolean;
}

export interface GapFact {
  readonly kind: GapKind;
  readonly line: number;
  readonly text: string;
  readonly detail: string;
}

/** The imports and exports of one file, read without the other files. */
export interface ModuleInfo {
  readonly state: ParseState;
  readonly lines: number;
  /** False for scripts and CommonJS, whose exports cannot be listed by reading. */
  readonly hasExports: boolean;
  readonly requests: readonly Request[];
  readonly exports: readonly ExportFact[];
  /** Names that only files of the same package can use; those of methods with a dot in front. */
  readonly shared?: readonly string[];
  /** Names that can be taken from it, though it does not offer them: its own imports and the like. */
  readonly bound?: readonly string[];
  readonly stars: readonly StarFact[];
  readonly gaps: readonly GapFact[];
}

export const NO_FACTS: ModuleInfo = {
  state: "skipped",
  lines: 0,
  hasExports: false,
  requests: [],
  exports: [],
  stars: [],
  gaps: [],
};
