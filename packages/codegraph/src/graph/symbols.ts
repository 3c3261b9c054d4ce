import { at, NONE, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rowRange, rowsBy, rangeRows, rangeStarts } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import type { Strings } from "./strings.ts";
import { SYMBOL_KINDS } from "./words.ts";
import type { SymbolKind } from "./words.ts";

export const SYMBOL_COLUMNS = [
  "file",
  "name",
  "kind",
  "parent",
  "exported",
  "line",
  "column",
  "endLine",
  "endColumn",
  "detail",
] as const;
export type SymbolColumns = Columns<(typeof SYMBOL_COLUMNS)[number]>;

/** A range in a file, 1-based. The end is the position after the last character. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * All symbols, sorted by file and position. The first symbol of a file is its module. Code outside
 * of functions belongs to it, so an edge always has a symbol at both ends.
 */
export class Symbols {
  readonly columns: SymbolColumns;
  readonly #strings: Strings;
  readonly #files: number;
  #starts: Uint32Array | undefined;
  #byName: RowIndex | undefined;

  constructor(columns: SymbolColumns, strings: Strings, files: number) {
    this.columns = columns;
    this.#strings = strings;
    this.#files = files;
  }

  get count(): number {
    return this.columns.file.length;
  }

  /** The symbols of a file, its module symbol first. */
  inFile(file: number): Iterable<number> {
    return rangeRows(this.#rangeOf(file));
  }

  moduleOf(file: number): number {
    return this.#rangeOf(file).start;
  }

  /** Every symbol with exactly this name, in file order. */
  named(name: string): Uint32Array {
    const id = this.#strings.find(name);
    if (id === undefined) return new Uint32Array();
    return rowsBy((this.#byName ??= indexBy(this.columns.name, this.#strings.count)), id);
  }

  name(symbol: number): string {
    return this.#strings.get(at(this.columns.name, symbol));
  }

  kind(symbol: number): SymbolKind {
    return wordAt(SYMBOL_KINDS, this.columns.kind, symbol);
  }

  file(symbol: number): number {
    return at(this.columns.file, symbol);
  }

  /** The symbol that contains this one. */
  parent(symbol: number): number | undefined {
    const parent = at(this.columns.parent, symbol);
    return parent === NONE ? undefined : parent;
  }

  exported(symbol: number): boolean {
    return at(this.columns.exported, symbol) === 1;
  }

  /** The declaration without its body, in one line; empty if there is none. */
  detail(symbol: number): string {
    return this.#strings.get(at(this.columns.detail, symbol));
  }

  range(symbol: number): SourceRange {
    const { line, column, endLine, endColumn } = this.columns;
    return {
      line: at(line, symbol),
      column: at(column, symbol),
      endLine: at(endLine, symbol),
      endColumn: at(endColumn, symbol),
    };
  }

  #rangeOf(file: number): { start: number; end: number } {
    return rowRange((this.#starts ??= rangeStarts(this.columns.file, this.#files)), file);
  }
}
