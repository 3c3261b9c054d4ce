import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";

/** Adds an exported name, as a value and as a type. */
export function addExport(
  x: Extraction,
  name: string,
  value: number,
  type: number,
  offset: number,
): void {
  if (x.isNested) return;
  x.writer.tables.exports.push(x.writer.text(name), value, type, x.lines.lineOf(offset));
  for (const node of [value, type]) markExported(x, node);
}

function markExported(x: Extraction, node: number): void {
  const symbol = x.writer.code[node] === OP.symbol ? x.writer.code[node + 1]! : -1;
  if (symbol >= 0) x.markExported(symbol);
}
