import { at } from "./columns.ts";
import type { Column, Columns } from "./columns.ts";

/** The values of a row, by column; missing ones are 0. */
export type Row = Readonly<Record<string, number>>;

export interface Inserted<Name extends string> {
  readonly columns: Columns<Name>;
  /** The new row of each old row. */
  readonly moved: Uint32Array;
}

function emptyLike(column: Column, length: number): Column {
  if (column instanceof Uint8Array) return new Uint8Array(length);
  if (column instanceof Uint16Array) return new Uint16Array(length);
  if (column instanceof Int32Array) return new Int32Array(length);
  if (column instanceof Uint32Array) return new Uint32Array(length);
  return new Float64Array(length);
}

/** An empty column of the same type, or of a wider type if the new values need it. */
function emptyFor(column: Column, length: number, added: readonly number[]): Column {
  const one = emptyLike(column, 1);
  const isNarrow = added.some((value) => {
    one[0] = value;
    return one[0] !== value;
  });
  if (!isNarrow) return emptyLike(column, length);
  const isSigned = column instanceof Int32Array || added.some((value) => value < 0);
  return isSigned ? new Int32Array(length) : new Uint32Array(length);
}

/** Inserts rows after those of the same owner, in a table that is sorted by owner. */
export function insertRows<Name extends string>(
  columns: Columns<Name>,
  owner: NoInfer<Name>,
  rows: readonly Row[],
): Inserted<Name> {
  const owners: Column = columns[owner];
  const { length } = owners;
  const moved = new Uint32Array(length);
  const places = new Uint32Array(rows.length);
  let added = 0;
  for (let row = 0; row < length; row++) {
    while (added < rows.length && rows[added]![owner]! < at(owners, row)) {
      places[added] = row + added;
      added += 1;
    }
    moved[row] = row + added;
  }
  for (; added < rows.length; added++) places[added] = length + added;
  const entries = Object.entries<Column>(columns).map(([name, column]) => {
    const values = rows.map((row) => row[name] ?? 0);
    const grown = emptyFor(column, length + rows.length, values);
    for (let row = 0; row < length; row++) grown[moved[row]!] = at(column, row);
    for (const [place, value] of values.entries()) grown[places[place]!] = value;
    return [name, grown] as const;
  });
  return { columns: Object.fromEntries(entries) as Columns<Name>, moved };
}

/** Updates a column that refers to moved rows. */
export function mappedColumn(column: Column, moved: Uint32Array): Column {
  const mapped = emptyFor(column, column.length, [moved.at(-1) ?? 0]);
  for (let row = 0; row < column.length; row++) mapped[row] = at(moved, at(column, row));
  return mapped;
}
