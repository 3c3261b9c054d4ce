export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A table kept as one typed array for each of its columns; all are equally long. */
export type Columns<Name extends string = string> = Readonly<Record<Name, Column>>;

/** No row: what a column holds where there is nothing to point at. */
export const NONE = -1;

/** The value of a column; a row that does not exist is a defect of the caller, not a zero. */
export function at(column: Column, row: number): number {
  const value = column[row];
  if (value === undefined) throw new RangeError(`row ${row} of ${column.length}`);
  return value;
}

/** The word that a column holds as its position in `words`. */
export function wordAt<Word extends string>(
  words: readonly Word[],
  column: Column,
  row: number,
): Word {
  const word = words[at(column, row)];
  if (word === undefined) throw new RangeError(`no word ${at(column, row)} in ${words.join(", ")}`);
  return word;
}
