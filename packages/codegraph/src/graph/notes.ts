import { at, NONE, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { rangeOf, rowsOf, startsOf } from "./ranges.ts";
import type { Strings } from "./strings.ts";
import { ENTRYPOINT_KINDS, GAP_KINDS } from "./words.ts";
import type { EntrypointKind, GapKind } from "./words.ts";

export const NOTE_COLUMNS = ["file", "kind", "line", "text", "detail", "symbol"] as const;
export type NoteColumns = Columns<(typeof NOTE_COLUMNS)[number]>;

/** Something that is said of a place in a file; sorted by file and then by line. */
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
    return rowsOf(rangeOf((this.#starts ??= startsOf(this.columns.file, this.#files)), file));
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

/** Where a program is entered; `text` names what is served ("GET /users"), `detail` by what. */
export class Entrypoints extends Notes<EntrypointKind> {
  constructor(columns: NoteColumns, strings: Strings, files: number) {
    super(columns, ENTRYPOINT_KINDS, strings, files);
  }
}

/** What could not be followed; `text` is what stands there, `detail` why. */
export class Gaps extends Notes<GapKind> {
  constructor(columns: NoteColumns, strings: Strings, files: number) {
    super(columns, GAP_KINDS, strings, files);
  }
}

export const PACKAGE_KINDS = ["package", "builtin"] as const;

/** What a file takes from outside the tree; `text` is the package, `detail` the whole specifier. */
export class PackageUses extends Notes<(typeof PACKAGE_KINDS)[number]> {
  constructor(columns: NoteColumns, strings: Strings, files: number) {
    super(columns, PACKAGE_KINDS, strings, files);
  }
}

export const EXOTIC_KINDS = ["file", ...PACKAGE_KINDS, "nowhere"] as const;

/** Where another function stands for `require`; `text` is the function, `detail` what it loads. */
export class ExoticRequires extends Notes<(typeof EXOTIC_KINDS)[number]> {
  constructor(columns: NoteColumns, strings: Strings, files: number) {
    super(columns, EXOTIC_KINDS, strings, files);
  }
}
