/** A row in the form in which it is read. No table of Waybill stores bytes. */
export type FoundRow = Readonly<Record<string, string | number | null>>;

/** A row as the driver returns it. Bytes have one of two types. */
type RawRow = Readonly<Record<string, string | number | null | Buffer | ArrayBuffer>>;

const DECODER = new TextDecoder();

function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

/**
 * The same query, with strings as bytes. SQLite does not check strings, and the driver ends the
 * whole process if a string is not valid UTF-8, as after one changed bit in the file.
 */
export function textAsBytes(sql: string, columns: readonly string[]): string {
  const safe = columns.map(quoted).map(
    (column) => `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END
      AS ${column}`,
  );
  return `WITH found AS MATERIALIZED (${sql}) SELECT ${safe.join(", ")} FROM found`;
}

/** The row with its bytes decoded as strings. Damaged bytes become the replacement character. */
export function decodeRow(row: unknown): FoundRow {
  const entries = Object.entries(row as RawRow).map(([column, value]) => [
    column,
    typeof value === "object" && value !== null ? DECODER.decode(value) : value,
  ]);
  return Object.fromEntries(entries) as FoundRow;
}
