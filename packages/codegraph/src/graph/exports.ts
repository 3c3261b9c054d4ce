import { at, NONE, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rowRange, rowsBy, rangeRows, rangeStarts } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import type { Strings } from "./strings.ts";

/**
 * `local` is declared in its file; `forwarded` is passed on from another file by name; `star` is
 * one name that `export *` brings; `namespace` is `export * as x`; `external` is passed on from a
 * package, or from a file whose exports cannot be listed; `broken` is passed on from a file that
 * does not have it; `cyclic` only from files that hand it on to each other; `assigned` is declared
 * in its file by CommonJS, which may offer more than can be read, and `export=` is all that it
 * offers.
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
 * The exports of each file, sorted by file and then name; barrels are followed to the definition.
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

  /** Every export with exactly this name, in order of their files. */
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

  /** The export where the thing is defined: the row itself when that is here or unknown. */
  definition(row: number): number {
    const target = at(this.columns.target, row);
    return target === NONE ? row : target;
  }

  /** The exports of other files that hand this definition on. */
  forwards(row: number): Uint32Array {
    return rowsBy((this.#forwards ??= indexBy(this.columns.target, this.count)), row);
  }

  /** The declared symbol, once symbols are known. */
  symbol(row: number): number | undefined {
    const symbol = at(this.columns.symbol, row);
    return symbol === NONE ? undefined : symbol;
  }
}
