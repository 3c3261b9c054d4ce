import type { Column, Columns } from "../../graph/index.ts";

/** Rows `start` to `end` of a table, with their replacement. */
export interface Replaced<Name extends string> {
  readonly start: number;
  readonly end: number;
  readonly rows: Columns<Name>;
}

/** Maps row numbers after some rows were replaced. A replaced row keeps its offset in the range. */
export class RowShift {
  readonly isNone: boolean;
  readonly #ends: number[] = [];
  readonly #deltas: number[] = [0];

  constructor(replaced: readonly { start: number; end: number; count: number }[]) {
    for (const { start, end, count } of replaced) {
      this.#ends.push(end);
      this.#deltas.push(this.#deltas.at(-1)! + count - (end - start));
    }
    this.isNone = this.#deltas.every((delta) => delta === 0);
  }

  of(row: number): number {
    if (row < 0) return row;
    let place = 0;
    while (place < this.#ends.length && row >= this.#ends[place]!) place++;
    return row + this.#deltas[place]!;
  }
}

/** The table with some rows replaced. `shifts` maps the columns that contain row numbers. */
export function replaceRows<Name extends string>(
  columns: Columns<Name>,
  replaced: readonly Replaced<Name>[],
  shifts: Partial<Record<Name, RowShift>> = {},
): Columns<Name> {
  const entries = (Object.keys(columns) as Name[]).map((name) => {
    const parts = replaced.map(({ start, end, rows }) => ({ start, end, added: rows[name] }));
    return [name, replaceIn(columns[name], parts, shifts[name])] as const;
  });
  return Object.fromEntries(entries) as Columns<Name>;
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly added: Column;
}

function replaceIn(column: Column, parts: readonly Part[], shift: RowShift | undefined): Column {
  const isShifted = shift !== undefined && !shift.isNone;
  const result = roomFor(column, parts, isShifted);
  let [from, to] = [0, 0];
  const keep = (end: number): void => {
    result.set(column.subarray(from, end), to);
    const stop = to + end - from;
    if (isShifted) for (let at = to; at < stop; at++) result[at] = shift.of(result[at]!);
    to = stop;
  };
  for (const { start, end, added } of parts) {
    keep(start);
    result.set(added, to);
    to += added.length;
    from = end;
  }
  keep(column.length);
  return result;
}

/** An array that is wide enough for the values. If row numbers may have grown, the widest one. */
function roomFor(column: Column, parts: readonly Part[], isShifted: boolean): Column {
  const all = [column, ...parts.map(({ added }) => added)];
  const length = parts.reduce(
    (sum, { start, end, added }) => sum + added.length - (end - start),
    column.length,
  );
  if (all.some((array) => array instanceof Int32Array)) return new Int32Array(length);
  const width = Math.max(...all.map((array) => array.BYTES_PER_ELEMENT));
  if (isShifted || width === 4) return new Uint32Array(length);
  return width === 2 ? new Uint16Array(length) : new Uint8Array(length);
}

/** The first row whose value is at least `value`, in a sorted column. */
export function firstRow(column: Column, value: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
