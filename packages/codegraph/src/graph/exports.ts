import { at, NONE, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rowRange, rowsBy, rangeRows, rangeStarts } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import type { Strings } from "./strings.ts";

/**
 * `local`: declared in the file. `forwarded`: re-exported from another file by name. `star`: one
 * name from `export *`. `namespace`: `export * as x`. `external`: re-exported from a package, or
 * from a file whose exports cannot be listed. `broken`: re-exported from a file that does not have
 * it. `cyclic`: files only re-export it from each other. `assigned`: declared by CommonJS, which
 * may export more than can be read; `export=` is the module as a whole.
 */
export const EXPORT_KINDS = [
  "local",
  "forwarded",
  "star",
  "namespace",
  "external",
  "broken",
  "cyclic",
  "assigned",
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export function isDeclared(kind: ExportKind): boolean {
  return kind === "local" || kind === "assigned";
}

export const EXPORT_COLUMNS = [
  "file",
  "name",
  "kind",
  "typeOnly",
  "line",
  "target",
  "symbol",
] as const;
export type ExportColumns = Columns<(typeof EXPORT_COLUMNS)[number]>;

/**
 * The exports of each file, sorted by file and name. Re-exports are resolved to their definition.
 */
export class Exports {
  readonly columns: ExportColumns;
  readonly #strings: Strings;
  readonly #files: number;
  #starts: Uint32Array | undefined;
  #forwards: RowIndex | undefined;
  #byName: RowIndex | undefined;

  constructor(columns: ExportColumns, strings: Strings, files: number) {
    this.columns = columns;
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

  find(file: number, name: string): number | undefined {
    for (const row of this.inFile(file)) if (this.name(row) === name) return row;
    return undefined;
  }

  /** Every export with exactly this name, in file order. */
  named(name: string): Uint32Array {
    const id = this.#strings.find(name);
    if (id === undefined) return new Uint32Array();
    return rowsBy((this.#byName ??= indexBy(this.columns.name, this.#strings.count)), id);
  }

  file(row: number): number {
    return at(this.columns.file, row);
  }

  name(row: number): string {
    return this.#strings.get(at(this.columns.name, row));
  }

  kind(row: number): ExportKind {
    return wordAt(EXPORT_KINDS, this.columns.kind, row);
  }

  typeOnly(row: number): boolean {
    return at(this.columns.typeOnly, row) === 1;
  }

  line(row: number): number {
    return at(this.columns.line, row);
  }

  /** The export that a re-export leads to; the row itself if there is none. */
  definition(row: number): number {
    const target = at(this.columns.target, row);
    return target === NONE ? row : target;
  }

  /** The re-exports of this definition. */
  forwards(row: number): Uint32Array {
    return rowsBy((this.#forwards ??= indexBy(this.columns.target, this.count)), row);
  }

  /** The declared symbol, if symbols are complete. */
  symbol(row: number): number | undefined {
    const symbol = at(this.columns.symbol, row);
    return symbol === NONE ? undefined : symbol;
  }
}
