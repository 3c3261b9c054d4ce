import { HEADER, SEPARATOR, TABLES, TABLE_NAMES } from "./symbol-facts.ts";
import type { FileSymbolData, TableName } from "./symbol-facts.ts";

/** Reads the facts of a file. */
export class FactsView {
  readonly code: Int32Array;
  readonly texts: readonly string[];
  readonly surface: number;
  readonly tables: Readonly<Record<TableName, Int32Array>>;

  constructor({ numbers, texts }: FileSymbolData) {
    this.texts = texts.split(SEPARATOR);
    this.surface = numbers[1]!;
    let offset = HEADER + numbers[0]!;
    this.code = numbers.subarray(HEADER, offset);
    const tables: Partial<Record<TableName, Int32Array>> = {};
    for (const [place, name] of TABLE_NAMES.entries()) {
      const length = numbers[2 + place]! * TABLES[name].length;
      tables[name] = numbers.subarray(offset, offset + length);
      offset += length;
    }
    this.tables = tables as Record<TableName, Int32Array>;
  }

  count(table: TableName): number {
    return this.tables[table].length / TABLES[table].length;
  }

  get(table: TableName, row: number, column: number): number {
    return this.tables[table][row * TABLES[table].length + column]!;
  }

  text(id: number): string {
    return this.texts[id] ?? "";
  }
}

const SYMBOL_COUNT = 2 + TABLE_NAMES.indexOf("symbols");

/** The number of symbols, without decoding the rest. */
export function getSymbolCount({ numbers }: FileSymbolData): number {
  return numbers[SYMBOL_COUNT]!;
}

/**
 * The surface hash. If two versions of a file have the same hash, other files cannot see a
 * difference.
 */
export function factsSurface({ numbers }: FileSymbolData): number {
  return numbers[1]!;
}
