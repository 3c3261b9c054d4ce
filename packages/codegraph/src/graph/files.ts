import { at, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import type { Strings } from "./strings.ts";
import { FILE_KINDS, LANGUAGES, PARSE_STATES } from "./words.ts";
import type { FileKind, Language, ParseState } from "./words.ts";

export const FILE_COLUMNS = [
  "path",
  "language",
  "kind",
  "state",
  "lines",
  "bytes",
  "hashLow",
  "hashHigh",
] as const;
export type FileColumns = Columns<(typeof FILE_COLUMNS)[number]>;

/** Every file of the tree, sorted by path. A file's id is its position. */
export class Files {
  readonly columns: FileColumns;
  readonly #strings: Strings;
  #byPath: Map<string, number> | undefined;

  constructor(columns: FileColumns, strings: Strings) {
    this.columns = columns;
    this.#strings = strings;
  }

  get count(): number {
    return this.columns.path.length;
  }

  /** The path relative to the root, with `/`. */
  path(file: number): string {
    return this.#strings.get(at(this.columns.path, file));
  }

  find(path: string): number | undefined {
    return (this.#byPath ??= this.#index()).get(path);
  }

  language(file: number): Language {
    return wordAt(LANGUAGES, this.columns.language, file);
  }

  kind(file: number): FileKind {
    return wordAt(FILE_KINDS, this.columns.kind, file);
  }

  state(file: number): ParseState {
    return wordAt(PARSE_STATES, this.columns.state, file);
  }

  lines(file: number): number {
    return at(this.columns.lines, file);
  }

  bytes(file: number): number {
    return at(this.columns.bytes, file);
  }

  #index(): Map<string, number> {
    const byPath = new Map<string, number>();
    for (let file = 0; file < this.count; file++) byPath.set(this.path(file), file);
    return byPath;
  }
}
