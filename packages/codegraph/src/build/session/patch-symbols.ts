import type { GraphTables, Interner } from "../../graph/index.ts";
import { firstRow, replaceRows, RowShift } from "../link/replace-rows.ts";
import { assembleFiles, editedStarts, Mounts, symbolStarts } from "../symbols/index.ts";
import type { SymbolFile } from "./symbol-files.ts";

/** The effect of an edit on symbols, if the order of files did not change. */
export interface SymbolPatch {
  readonly before: readonly SymbolFile[];
  readonly files: readonly SymbolFile[];
  /** The files with changed symbols, in ascending order. */
  readonly edited: readonly number[];
  /** The files whose links were resolved again, including all edited ones. */
  readonly linked: ReadonlySet<number>;
}

/** Cached, because the next edit needs the same files again. */
const knownMounts = new WeakMap<readonly SymbolFile[], Mounts>();

function mountsIn(files: readonly SymbolFile[]): Mounts {
  let mounts = knownMounts.get(files);
  if (!mounts) knownMounts.set(files, (mounts = new Mounts(files)));
  return mounts;
}

function isMounting({ links }: SymbolFile): boolean {
  return (links?.mounts.length ?? 0) > 0;
}

/** The mounts of routers after an edit. Most edits change none of them. */
function editedMounts({ before, files, linked }: SymbolPatch): Mounts {
  const mounts = mountsIn(before);
  for (const id of linked) {
    if (isMounting(before[id]!) || isMounting(files[id]!)) return mountsIn(files);
  }
  knownMounts.set(files, mounts);
  return mounts;
}

/** Replaces the rows of these files, and updates every reference to a symbol. */
export function patchSymbols(
  tables: GraphTables,
  patch: SymbolPatch,
  strings: Interner,
): GraphTables & { readonly starts: Uint32Array } {
  const { before, files, edited, linked } = patch;
  const old = symbolStarts(before);
  const starts = editedStarts(before, files, edited);
  const mounts = editedMounts(patch);
  const rowsOf = (id: number) => assembleFiles(files, [id], starts, strings, mounts);
  const symbols = edited.map((id) => {
    return { start: old[id]!, end: old[id + 1]!, rows: rowsOf(id).symbols };
  });
  const shift = new RowShift(symbols.map((part) => ({ ...part, count: part.rows.file.length })));
  const other = new Set([...linked, ...mounts.changedFrom(mountsIn(before))]);
  const relinked = [...other].toSorted((a, b) => a - b).map((id) => ({ id, rows: rowsOf(id) }));
  const uses = relinked.map(({ id, rows }) => {
    const from = tables.uses.from;
    return { start: firstRow(from, old[id]!), end: firstRow(from, old[id + 1]!), rows: rows.uses };
  });
  const entrypoints = relinked.map(({ id, rows }) => {
    const { file } = tables.entrypoints;
    return { start: firstRow(file, id), end: firstRow(file, id + 1), rows: rows.entrypoints };
  });
  const unresolved = relinked.map(({ id, rows }) => {
    const { file } = tables.unresolved;
    return { start: firstRow(file, id), end: firstRow(file, id + 1), rows: rows.unresolved };
  });
  return {
    ...tables,
    symbols: replaceRows(tables.symbols, symbols, { parent: shift }),
    uses: replaceRows(tables.uses, uses, { from: shift, to: shift }),
    entrypoints: replaceRows(tables.entrypoints, entrypoints, { symbol: shift }),
    unresolved: replaceRows(tables.unresolved, unresolved),
    exports: replaceRows(tables.exports, [], { symbol: shift }),
    starts,
  };
}
