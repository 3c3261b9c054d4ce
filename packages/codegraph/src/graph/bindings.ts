import { at, NONE } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rowRange, rowsBy, rangeRows, rangeStarts } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import type { Strings } from "./strings.ts";

export const BINDING_COLUMNS = ["edge", "name", "typeOnly", "export"] as const;
export type BindingColumns = Columns<(typeof BINDING_COLUMNS)[number]>;

/**
 * The names that each import uses, sorted by edge. `*` is the whole module. A name has no export if
 * the imported file does not have it. Re-exports are included: see the kind of the edge.
 */
export class Bindings {
  readonly columns: BindingColumns;
  readonly #strings: Strings;
  readonly #edges: number;
  readonly #exports: number;
  #starts: Uint32Array | undefined;
  #byExport: RowIndex | undefined;

  constructor(columns: BindingColumns, strings: Strings, edges: number, exports: number) {
    this.columns = columns;
    this.#strings = strings;
    this.#edges = edges;
    this.#exports = exports;
  }

  get count(): number {
    return this.columns.edge.length;
  }

  ofEdge(edge: number): Iterable<number> {
    return rangeRows(
      rowRange((this.#starts ??= rangeStarts(this.columns.edge, this.#edges)), edge),
    );
  }

  /** The imports and re-exports that lead to this definition, through any number of re-exports. */
  ofExport(definition: number): Uint32Array {
    return rowsBy((this.#byExport ??= indexBy(this.columns.export, this.#exports)), definition);
  }

  /** The number of the import edge that a row belongs to. */
  edge(row: number): number {
    return at(this.columns.edge, row);
  }

  name(row: number): string {
    return this.#strings.get(at(this.columns.name, row));
  }

  typeOnly(row: number): boolean {
    return at(this.columns.typeOnly, row) === 1;
  }

  /** The definition of the name. */
  export(row: number): number | undefined {
    const found = at(this.columns.export, row);
    return found === NONE ? undefined : found;
  }
}
