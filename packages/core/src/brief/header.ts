import { cellText, quotedStart, readCell } from "./cell.ts";

/** A column of a table. If all rows have the same value, the header has it. */
export interface Column {
  readonly name: string;
  readonly constant?: unknown;
}

const PLAIN_NAME = /^[^\s"=:+!][^\t\n\r=]*$/u;
const LEFT_OUT = "+";

export function nameText(name: string): string {
  return PLAIN_NAME.test(name) && cellText(name) === name ? name : JSON.stringify(name);
}

function columnText(column: Column): string {
  const name = nameText(column.name);
  return Object.hasOwn(column, "constant") ? `${name}=${cellText(column.constant)}` : name;
}

export function leftOutText(names: readonly string[]): string {
  const isPlain = names.every((name) => nameText(name) === name && !/^\[|,/u.test(name));
  return `${LEFT_OUT}${isPlain ? names.join(",") : JSON.stringify(names)}`;
}

export function readLeftOut(text: string): string[] {
  const names = text.slice(LEFT_OUT.length);
  return names.startsWith("[") ? (JSON.parse(names) as string[]) : names.split(",");
}

/** The first line of a table: its columns, and the names of omitted columns. */
export function headerText(columns: readonly Column[], leftOut: readonly string[]): string {
  const rest = leftOut.length === 0 ? [] : [leftOutText(leftOut)];
  return [...columns.map(columnText), ...rest].join("\t");
}

export function readColumn(text: string): Column {
  const quoted = quotedStart(text);
  const length = quoted?.length ?? (text.includes("=") ? text.indexOf("=") : text.length);
  const name = quoted === undefined ? text.slice(0, length) : String(JSON.parse(quoted));
  return text[length] === "=" ? { name, constant: readCell(text.slice(length + 1)) } : { name };
}

export interface Header {
  readonly columns: readonly Column[];
  readonly leftOut: readonly string[];
}

export function readHeader(line: string): Header {
  const cells = line.split("\t");
  const last = cells.at(-1) ?? "";
  if (!last.startsWith(LEFT_OUT)) return { columns: cells.map(readColumn), leftOut: [] };
  return { columns: cells.slice(0, -1).map(readColumn), leftOut: readLeftOut(last) };
}
