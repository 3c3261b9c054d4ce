import { at, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rangeRows, rangeStarts, rowRange, rowsBy } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import type { Strings } from "./strings.ts";
import { UNRESOLVED_KINDS } from "./words.ts";
import type { UnresolvedKind } from "./words.ts";

export const UNRESOLVED_COLUMNS = ["file", "name", "kind"] as const;
export type UnresolvedColumns = Columns<(typeof UNRESOLVED_COLUMNS)[number]>;

/**
 * The names that files use but that could not be resolved, each once per file and kind, sorted by
 * file. A symbol with such a name may have more uses than the graph knows.
 */
export class UnresolvedNames {
  readonly columns: UnresolvedColumns;
  readonly #strings: Strings;
  readonly #files: number;
  #byName: RowIndex | undefined;
  #starts: Uint32Array | undefined;

  constructor(columns: UnresolvedColumns, strings: Strings, files: number) {
    this.columns = columns;
    this.#strings = strings;
    this.#files = files;
  }

  get count(): number {
    return this.columns.file.length;
  }

  /** Where a name is used, in file order. */
  named(name: string): Uint32Array {
    const id = this.#strings.find(name);
    if (id === undefined) return new Uint32Array();
    return rowsBy((this.#byName ??= indexBy(this.columns.name, this.#strings.count)), id);
  }

  inFile(file: number): Iterable<number> {
    return rangeRows(
      rowRange((this.#starts ??= rangeStarts(this.columns.file, this.#files)), file),
    );
  }

  name(row: number): string {
    return this.#strings.get(at(this.columns.name, row));
  }

  file(row: number): number {
    return at(this.columns.file, row);
  }

  kind(row: number): UnresolvedKind {
    return wordAt(UNRESOLVED_KINDS, this.columns.kind, row);
  }
}
