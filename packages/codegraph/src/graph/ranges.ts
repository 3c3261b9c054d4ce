import { at } from "./columns.ts";
import type { Column } from "./columns.ts";

/** Rows `start` to `end`, without `end` itself. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** For rows that are sorted by `owner`: the first row of each owner. */
export function rangeStarts(owner: Column, owners: number): Uint32Array {
  const starts = new Uint32Array(owners + 1);
  for (let row = 0; row < owner.length; row++) starts[at(owner, row) + 1]! += 1;
  for (let id = 0; id < owners; id++) starts[id + 1]! += at(starts, id);
  return starts;
}

export function rowRange(starts: Uint32Array, owner: number): RowRange {
  return { start: at(starts, owner), end: at(starts, owner + 1) };
}

export function* rangeRows({ start, end }: RowRange): Generator<number> {
  for (let row = start; row < end; row++) yield row;
}

/** Rows grouped by a column that they are not sorted by. */
export interface RowIndex {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** Rows with the value NONE belong to no owner. */
export function indexBy(column: Column, owners: number): RowIndex {
  const starts = new Uint32Array(owners + 1);
  for (let row = 0; row < column.length; row++) {
    const owner = at(column, row);
    if (owner >= 0) starts[owner + 1]! += 1;
  }
  for (let id = 0; id < owners; id++) starts[id + 1]! += at(starts, id);
  return { starts, rows: placeRows(column, starts) };
}

function placeRows(column: Column, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const rows = new Uint32Array(at(starts, starts.length - 1));
  for (let row = 0; row < column.length; row++) {
    const owner = at(column, row);
    if (owner >= 0) rows[next[owner]!++] = row;
  }
  return rows;
}

export function rowsBy(index: RowIndex, owner: number): Uint32Array {
  return index.rows.subarray(at(index.starts, owner), at(index.starts, owner + 1));
}
