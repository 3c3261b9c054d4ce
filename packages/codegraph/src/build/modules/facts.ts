import type { Confidence, GapKind, ImportKind, ParseState } from "../../graph/index.ts";

/** One place where a file refers to another module. */
export interface Request {
  readonly specifier: string;
  readonly kind: Exclude<ImportKind, "annotation">;
  readonly line: number;
  readonly column: number;
  readonly typeOnly: boolean;
  /**
   * Whether the word `type` is at the names alone, as in `import { type A }`. Some tools remove
   * only these names, so that the statement still loads the file.
   */
  readonly isInline?: boolean;
  readonly confidence: Confidence;
  /** The imported names; `*` means all. */
  readonly names: readonly TakenName[];
  /**
   * Whether the text may mean something other than a file. If so, an unresolved request is not
   * reported as a gap.
   */
  readonly optional?: boolean;
  /** The function that is used like `require`. */
  readonly by?: string;
}

export interface TakenName {
  readonly name: string;
  readonly typeOnly: boolean;
  /** The line of the first use, if it differs from the line of the request. */
  readonly line?: number;
}

/** An exported name of a file. */
export interface ExportFact {
  readonly name: string;
  readonly line: number;
  readonly typeOnly: boolean;
  /** The request that it is re-exported from, and its name there; `*` is the module itself. */
  readonly from?: number;
  readonly imported?: string;
  /** Whether the name is assigned to `exports` or `module.exports`. */
  readonly assigned?: boolean;
  /** The request for the submodule that the name means if the module does not define it. */
  readonly orModule?: number;
}

/** `export * from`, with its request. */
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

/** The imports and exports of one file, read without other files. */
export interface ModuleInfo {
  readonly state: ParseState;
  readonly lines: number;
  /** False for scripts and CommonJS, whose exports cannot be listed reliably. */
  readonly hasExports: boolean;
  readonly requests: readonly Request[];
  readonly exports: readonly ExportFact[];
  /** Names that only files of the same package can use. Methods start with a dot. */
  readonly shared?: readonly string[];
  /**
   * Names that can be imported although they are not exported, such as the file's own imports in
   * Python.
   */
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
