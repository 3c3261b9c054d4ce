import { isRecord } from "@waybill/core/schema";

/** Strings that would be read as another value, or that end a cell, are written as JSON. */
const QUOTED = /^$|^\s|\s$|^-|[,:"\\\n\t[\]{}]|^(?:true|false|null|-?\d+(?:\.\d+)?)$/u;

function scalarText(value: unknown): string {
  if (typeof value === "string") return QUOTED.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value) ?? "null";
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

type Row = Record<string, unknown>;

/** The columns of rows that all have the same scalar members. */
function getColumns(list: readonly unknown[]): string[] | undefined {
  const [first] = list;
  if (!isRecord(first)) return undefined;
  const names = Object.keys(first);
  const isRow = (row: unknown): row is Row =>
    isRecord(row) &&
    Object.keys(row).join() === names.join() &&
    Object.values(row).every((value) => isScalar(value));
  return names.length > 0 && list.every(isRow) ? names : undefined;
}

function listLines(name: string, list: readonly unknown[], indent: string): string[] {
  const head = `${indent}${name}[${list.length}]`;
  if (list.every((item) => isScalar(item))) return [`${head}: ${list.map(scalarText).join(",")}`];
  const columns = getColumns(list);
  if (columns === undefined) {
    const items = list.flatMap((item) => {
      const [first = "", ...others] = memberLines("", item, `${indent}    `);
      return [`${indent}  - ${first.trimStart()}`, ...others];
    });
    return [`${head}:`, ...items];
  }
  const rows = (list as Row[]).map((row) => columns.map((column) => scalarText(row[column])));
  return [
    `${head}{${columns.join(",")}}:`,
    ...rows.map((cells) => `${indent}  ${cells.join(",")}`),
  ];
}

function memberLines(name: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return listLines(name, value, indent);
  if (!isRecord(value)) return [`${indent}${name}${name === "" ? "" : ": "}${scalarText(value)}`];
  const inner = name === "" ? indent : `${indent}  `;
  const lines = Object.entries(value).flatMap(([key, each]) => memberLines(key, each, inner));
  return name === "" ? lines : [`${indent}${name}:`, ...lines];
}

/** A value in TOON: lists of flat rows as tables, everything else by indentation. */
export function toonText(value: unknown): string {
  return memberLines("", value, "").join("\n");
}
