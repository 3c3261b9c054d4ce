import { printable } from "./printable.ts";
import type { Paint } from "./terminal.ts";

const STEP = "  ";
/** The deepest level that is printed. Deeper values are left out. */
const MAX_DEPTH = 40;

type Entry = readonly [name: string, value: unknown];

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown, paint: Paint): string {
  if (typeof value === "string") return printable(value);
  if (value === null || value === undefined) return paint("dim", "null");
  if (typeof value === "object") return paint("dim", Array.isArray(value) ? "none" : "empty");
  return paint("yellow", JSON.stringify(value));
}

/** Text with several lines is printed below its name, to keep its layout. */
function isBlock(value: unknown): value is string {
  return typeof value === "string" && value.includes("\n");
}

function entryLines([name, value]: Entry, width: number, paint: Paint, depth: number): string[] {
  const label = paint("cyan", printable(name));
  if (isBlock(value))
    return [
      label,
      ...printable(value)
        .split("\n")
        .map((line) => STEP + line),
    ];
  if (!isNested(value))
    return [`${label}${" ".repeat(width - name.length)}  ${scalar(value, paint)}`];
  return [label, ...treeLines(value, paint, depth + 1).map((line) => STEP + line)];
}

/** The first line of an item is on the line of its dash. */
function itemLines(item: unknown, paint: Paint, depth: number): string[] {
  const lines = isNested(item)
    ? treeLines(item, paint, depth + 1)
    : scalar(item, paint).split("\n");
  return lines.map((line, at) => `${at === 0 ? "- " : STEP}${line}`);
}

function objectLines(value: object, paint: Paint, depth: number): string[] {
  const entries = Object.entries(value);
  const short = entries.filter(([, member]) => !isNested(member) && !isBlock(member));
  const width = Math.max(0, ...short.map(([name]) => name.length));
  return entries.flatMap((entry) => entryLines(entry, width, paint, depth));
}

/** A value as indented lines, one name and value per line. */
export function treeLines(value: unknown, paint: Paint, depth = 0): string[] {
  if (!isNested(value)) return scalar(value, paint).split("\n");
  if (depth > MAX_DEPTH) return [printable(JSON.stringify(value))];
  return Array.isArray(value)
    ? value.flatMap((item) => itemLines(item, paint, depth))
    : objectLines(value, paint, depth);
}
