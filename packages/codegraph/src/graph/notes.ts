import { functionAt } from "./imports.ts";
import { at, NONE, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { rowRange, rangeRows, rangeStarts } from "./ranges.ts";
import type { Strings } from "./strings.ts";
import { ENTRYPOINT_KINDS, GAP_KINDS, IMPORT_KINDS } from "./words.ts";
import type { EntrypointKind, GapKind, ImportKind } from "./words.ts";

export const NOTE_COLUMNS = ["file", "kind", "line", "text", "detail", "symbol"] as const;
export type NoteColumns = Columns<(typeof NOTE_COLUMNS)[number]>;

/** Notes about places in files, sorted by file and line. */
class Notes<Kind extends string> {
  readonly columns: NoteColumns;
  readonly #kinds: readonly Kind[];
  readonly #strings: Strings;
  readonly #files: number;
  #starts: Uint32Array | undefined;

  constructor(columns: NoteColumns, kinds: readonly Kind[], strings: Strings, files: number) {
    this.columns = columns;
    this.#kinds = kinds;
    this.#strings = strings;
    this.#files = files;
  }

  get count(): number {
    return this.columns.file.length;
  }

  inFile(file: number): Iterable<number> {
    return rangeRows(
      rowRange((this.#starts ??= rangeStarts(this.columns.file, this.#files)), file),
    );
  }

  file(row: number): number {
    return at(this.columns.file, row);
  }

  kind(row: number): Kind {
    return wordAt(this.#kinds, this.columns.kind, row);
  }

  line(row: number): number {
    return at(this.columns.line, row);
  }

  text(row: number): string {
    return this.#strings.get(at(this.columns.text, row));
  }

  detail(row: number): string {
    return this.#strings.get(at(this.columns.detail, row));
  }

  symbol(row: number): number | undefined {
    const symbol = at(this.columns.symbol, row);
    return symbol === NONE ? undefined : symbol;
  }
}

/** Entry points. `text` is what is served ("GET /users"), `detail` the framework. */
export class Entrypoints extends Notes<EntrypointKind> {
  constructor(columns: NoteColumns, strings: Strings, files: number) {
    super(columns, ENTRYPOINT_KINDS, strings, files);
  }
}

export const REQUEST_COLUMNS = [...NOTE_COLUMNS, "way", "typeOnly", "by"] as const;
export type RequestColumns = Columns<(typeof REQUEST_COLUMNS)[number]>;

/** Notes about requests for something that is not a file of the tree. */
class RequestNotes<Kind extends string> extends Notes<Kind> {
  readonly #columns: RequestColumns;
  readonly #functions: readonly string[];

  constructor(
    columns: RequestColumns,
    kinds: readonly Kind[],
    strings: Strings,
    { files, functions }: Surrounding,
  ) {
    super(columns, kinds, strings, files);
    this.#columns = columns;
    this.#functions = functions;
  }

  way(row: number): ImportKind {
    return wordAt(IMPORT_KINDS, this.#columns.way, row);
  }

  typeOnly(row: number): boolean {
    return at(this.#columns.typeOnly, row) === 1;
  }

  /** The function that is used like `require`. */
  by(row: number): string | undefined {
    return functionAt(this.#functions, at(this.#columns.by, row));
  }
}

interface Surrounding {
  readonly files: number;
  /** Functions that are used like `require`. */
  readonly functions: readonly string[];
}

/** References that could not be resolved; `text` is the source text, `detail` the reason. */
export class Gaps extends RequestNotes<GapKind> {
  constructor(columns: RequestColumns, strings: Strings, around: Surrounding) {
    super(columns, GAP_KINDS, strings, around);
  }
}

export const PACKAGE_KINDS = ["package", "builtin"] as const;

/**
 * Packages outside the tree that a file uses. `text` is the package, `detail` the whole specifier.
 */
export class PackageUses extends RequestNotes<(typeof PACKAGE_KINDS)[number]> {
  constructor(columns: RequestColumns, strings: Strings, around: Surrounding) {
    super(columns, PACKAGE_KINDS, strings, around);
  }
}
