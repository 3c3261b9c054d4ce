import { isRecord, setOwn } from "../envelope/index.ts";
import { cellText, readCell } from "./cell.ts";
import { headerText, nameText, readColumn, readHeader } from "./header.ts";
import type { Column, Header } from "./header.ts";

type Row = Readonly<Record<string, unknown>>;

/** A list of rows and the other members of its object: `{ items: [rows], total: 3 }`. */
interface Rows {
  /** The name of the member that has the list. Undefined if the data itself is the list. */
  readonly member?: string;
  readonly rows: readonly Row[];
  readonly beside: Row;
}

const MAX_COLUMNS = 64;
const MIN_FILLED = 0.7;
/** The header omits this name, because most lists are in `items`. */
const USUAL_MEMBER = "items";
const MARK = ":";
const NO_MEMBER = "[]";

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function rowsIn(data: unknown): Rows | undefined {
  if (isRows(data)) return { rows: data, beside: {} };
  if (!isRecord(data)) return undefined;
  const lists = Object.entries(data).filter(([, value]) => isRows(value));
  const [list] = lists;
  if (lists.length !== 1 || list === undefined) return undefined;
  const [member, rows] = list;
  const beside = Object.fromEntries(Object.entries(data).filter(([name]) => name !== member));
  return { member, rows: rows as readonly Row[], beside };
}

/** Avoids `row[name]`, which finds an inherited member for `__proto__`. */
function valueIn(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

function columnNames(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function isConstant(name: string, rows: readonly Row[]): boolean {
  const [first, ...others] = rows.map((row) => valueIn(row, name));
  if (first === undefined || others.length === 0) return false;
  const text = JSON.stringify(first);
  return others.every((value) => value !== undefined && JSON.stringify(value) === text);
}

/** Whether the rows have so few columns in common that JSON is easier to read. */
function isSparse(names: readonly string[], rows: readonly Row[]): boolean {
  const filled = rows.map((row) => names.filter((name) => Object.hasOwn(row, name)).length);
  return filled.reduce((sum, count) => sum + count, 0) < names.length * rows.length * MIN_FILLED;
}

/** Keeps at least one column in the rows. Otherwise the reader could not count the rows. */
function tableColumns(names: readonly string[], rows: readonly Row[]): Column[] {
  const constants = new Set(names.filter((name) => isConstant(name, rows)));
  if (constants.size === names.length) constants.delete(names[0] ?? "");
  return names.map((name) =>
    constants.has(name) ? { name, constant: valueIn(rows[0] ?? {}, name) } : { name },
  );
}

function listName(member: string | undefined): string {
  if (member === undefined) return NO_MEMBER;
  return member === USUAL_MEMBER ? "" : nameText(member);
}

function firstLine({ member, beside }: Rows): string[] {
  const others = Object.entries(beside).map(([name, constant]) => ({ name, constant }));
  if (member === USUAL_MEMBER && others.length === 0) return [];
  const rest = others.length > 0 ? `\t${headerText(others, [])}` : "";
  return [`${MARK}${listName(member)}${rest}`];
}

function rowText(row: Row, columns: readonly Column[]): string {
  const varying = columns.filter((column) => !Object.hasOwn(column, "constant"));
  return varying
    .map(({ name }) => cellText(valueIn(row, name)))
    .join("\t")
    .replace(/(?<!\t)\t+$/u, "");
}

/**
 * Writes a list of rows as a header and one line of cells per row. Undefined for other data. Only
 * the columns in `shown` are written, and the header names the others and those in `leftOutBefore`.
 */
export function tableText(
  data: unknown,
  shown?: readonly string[],
  leftOutBefore: readonly string[] = [],
): string | undefined {
  const found = rowsIn(data);
  if (found === undefined) return undefined;
  const all = columnNames(found.rows);
  const names = shown === undefined ? all : all.filter((name) => shown.includes(name));
  if (names.length === 0 || names.length > MAX_COLUMNS || isSparse(names, found.rows)) {
    return undefined;
  }
  const leftOut = [...leftOutBefore, ...all.filter((name) => !names.includes(name))];
  const columns = tableColumns(names, found.rows);
  const lines = found.rows.map((row) => rowText(row, columns));
  if (lines.includes("")) return undefined;
  return [...firstLine(found), headerText(columns, leftOut), ...lines].join("\n");
}

function readRow(line: string, { columns }: Header): Row {
  const cells = line.split("\t").values();
  const row: Record<string, unknown> = {};
  for (const column of columns) {
    const isWritten = !Object.hasOwn(column, "constant");
    const value = isWritten ? readCell(cells.next().value ?? "") : column.constant;
    if (value !== undefined) setOwn(row, column.name, value);
  }
  return row;
}

function dataWith(first: string, rows: readonly Row[]): unknown {
  const [list = "", ...others] = first.split("\t");
  if (list === NO_MEMBER) return rows;
  const data: Record<string, unknown> = {};
  setOwn(data, list === "" ? USUAL_MEMBER : readColumn(list).name, rows);
  for (const other of others.map(readColumn)) setOwn(data, other.name, other.constant);
  return data;
}

/** Reads the data that `tableText` wrote, and the names of the omitted columns. */
export function readTable(lines: readonly string[]): { data: unknown; leftOut: readonly string[] } {
  const [first = "", second = ""] = lines;
  const isMarked = first.startsWith(MARK);
  const header = readHeader(isMarked ? second : first);
  const rows = lines.slice(isMarked ? 2 : 1).map((line) => readRow(line, header));
  return { data: dataWith(isMarked ? first.slice(1) : "", rows), leftOut: header.leftOut };
}
