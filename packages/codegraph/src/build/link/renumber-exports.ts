import { NONE } from "../../graph/index.ts";
import type { Column, ExportColumns, GraphTables, Interner } from "../../graph/index.ts";
import type { ExportIndex, ExportSlot, OtherNames } from "./export-index.ts";
import { firstRow, replaceRows } from "./replace-rows.ts";
import { packed } from "./table.ts";

/** Whether an import uses one of the names of one of the files. */
export function isAskedFor(
  { imports, bindings }: GraphTables,
  { files, names }: OtherNames,
  strings: Interner,
): boolean {
  const wanted = new Set(Array.from(names, (name) => strings.idOf(name)));
  const isOther = new Set(files);
  for (let edge = 0; edge < imports.to.length; edge++) {
    if (!isOther.has(imports.to[edge]!)) continue;
    for (let row = firstRow(bindings.edge, edge); bindings.edge[row] === edge; row++) {
      if (wanted.has(bindings.name[row]!)) return true;
    }
  }
  return false;
}

/** The current exports of a file, in row order. */
export interface OtherRows {
  readonly file: number;
  readonly slots: readonly ExportSlot[];
  readonly rows: ExportColumns;
}

/** Replaces the export rows of some files, and updates every reference to such rows. */
export function renumberExports(
  tables: GraphTables,
  others: readonly OtherRows[],
  index: ExportIndex,
): GraphTables {
  const before = tables.exports;
  const parts = others.map((other) => ({
    ...other,
    start: firstRow(before.file, other.file),
    end: firstRow(before.file, other.file + 1),
  }));
  const moves = new Int32Array(before.file.length);
  let [row, shift] = [0, 0];
  for (const { slots, start, end } of parts) {
    for (; row < start; row++) moves[row] = row + shift;
    for (const [place, slot] of slots.entries()) {
      if (slot.row !== NONE) moves[slot.row] = start + shift + place;
    }
    row = end;
    shift += slots.length - (end - start);
  }
  for (; row < moves.length; row++) moves[row] = row + shift;
  index.renumber(moves);
  const exports = replaceRows(before, parts);
  const target = moved(exports.target, moves);
  for (const { file, slots } of parts) {
    const start = firstRow(exports.file, file);
    for (const [place, slot] of slots.entries()) slot.row = start + place;
  }
  for (const slot of parts.flatMap(({ slots }) => slots)) {
    target[slot.row] = slot.definition?.row ?? NONE;
  }
  const bound = packed(moved(tables.bindings.export, moves));
  return {
    ...tables,
    exports: { ...exports, target: packed(target) },
    bindings: { ...tables.bindings, export: bound },
  };
}

function moved(rows: Column, moves: Int32Array): Int32Array {
  // A loop, because `Int32Array.from` with a function is ten times as slow.
  const now = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) now[at] = rows[at]! < 0 ? NONE : moves[rows[at]!]!;
  return now;
}
