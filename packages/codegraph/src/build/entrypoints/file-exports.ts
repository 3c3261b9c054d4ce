import type { EntrypointPosition, Extraction } from "../symbols/extract/extraction.ts";
import { OP } from "../symbols/facts/ops.ts";
import { EXPORT, TABLES } from "../symbols/facts/symbol-facts.ts";

/** An exported name of a file, as a framework sees it. */
export interface FileExport {
  readonly name: string;
  /** The symbol; -1 if the name is a re-export. */
  readonly symbol: number;
  readonly place: EntrypointPosition;
}

export function getExports(x: Extraction): FileExport[] {
  const { exports } = x.writer.tables;
  const found: FileExport[] = [];
  for (let row = 0; row < exports.length; row += TABLES.exports.length) {
    const value = exports[row + EXPORT.value]!;
    if (value === 0) continue;
    const symbol = x.writer.code[value] === OP.symbol ? x.writer.code[value + 1]! : -1;
    const line = exports[row + EXPORT.line]!;
    found.push({
      name: x.writer.textAt(exports[row + EXPORT.name]!),
      symbol,
      place: { line, handler: value },
    });
  }
  return found;
}
