export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A table with one typed array for each column. All have the same length. */
export type Columns<Name extends string = string> = Readonly<Record<Name, Column>>;

/** The value of a column that refers to no row. */
export const NONE = -1;

/**
 * The value of a column. Throws for a row that does not exist, because that is a bug of the caller.
 */
export function at(column: Column, row: number): number {
  const value = column[row];
  if (value === undefined)
    throw new RangeError(
      `the graph has no row ${row}, because the column has ${column.length} rows`,
    );
  return value;
}

/** Returns the word whose position in `words` the column contains. */
export function wordAt<Word extends string>(
  words: readonly Word[],
  column: Column,
  row: number,
): Word {
  const word = words[at(column, row)];
  if (word === undefined)
    throw new RangeError(
      `the graph has the unknown code ${at(column, row)} for one of: ${words.join(", ")}`,
    );
  return word;
}
