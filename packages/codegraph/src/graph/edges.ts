import { at, wordAt } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { indexBy, rowRange, rowsBy, rangeRows, rangeStarts } from "./ranges.ts";
import type { RowIndex } from "./ranges.ts";
import { CONFIDENCES, RESOLUTIONS } from "./words.ts";
import type { Confidence, Resolution } from "./words.ts";

export const EDGE_COLUMNS = [
  "from",
  "to",
  "kind",
  "line",
  "column",
  "typeOnly",
  "confidence",
  "how",
] as const;
export type EdgeColumns = Columns<(typeof EDGE_COLUMNS)[number]>;

/** Whether an import exists at run time, as a number in the column `typeOnly`. */
export const LOADING = {
  always: 0,
  never: 1,
  /** The import names only types. Node removes the names, but loads the file. */
  withNode: 2,
  /** The import names only types, but the settings of the project keep the statement. */
  bySettings: 3,
} as const;

/**
 * Edges between the nodes of one table, sorted by start node and text position. The opposite
 * direction is computed on demand.
 */
export class Edges<Kind extends string> {
  readonly columns: EdgeColumns;
  readonly #kinds: readonly Kind[];
  readonly #nodes: number;
  #starts: Uint32Array | undefined;
  #into: RowIndex | undefined;

  constructor(columns: EdgeColumns, kinds: readonly Kind[], nodes: number) {
    this.columns = columns;
    this.#kinds = kinds;
    this.#nodes = nodes;
  }

  get count(): number {
    return this.columns.from.length;
  }

  /** The edges from a node. */
  outOf(node: number): Iterable<number> {
    return rangeRows(
      rowRange((this.#starts ??= rangeStarts(this.columns.from, this.#nodes)), node),
    );
  }

  /** The edges to a node. */
  into(node: number): Uint32Array {
    return rowsBy((this.#into ??= indexBy(this.columns.to, this.#nodes)), node);
  }

  from(edge: number): number {
    return at(this.columns.from, edge);
  }

  to(edge: number): number {
    return at(this.columns.to, edge);
  }

  /** The line of an edge's source text, 1-based. */
  line(edge: number): number {
    return at(this.columns.line, edge);
  }

  /** The column of an edge's source text, 1-based. */
  column(edge: number): number {
    return at(this.columns.column, edge);
  }

  kind(edge: number): Kind {
    return wordAt(this.#kinds, this.columns.kind, edge);
  }

  /** Whether the names are types. The file may be loaded anyway. */
  typeOnly(edge: number): boolean {
    return at(this.columns.typeOnly, edge) !== LOADING.always;
  }

  confidence(edge: number): Confidence {
    return wordAt(CONFIDENCES, this.columns.confidence, edge);
  }

  how(edge: number): Resolution {
    return wordAt(RESOLUTIONS, this.columns.how, edge);
  }
}
