/** The columns of a use in the links of a file. `to` is a symbol of the file `toFile`. */
const LINK_COLUMNS = [
  "from",
  "toFile",
  "to",
  "kind",
  "line",
  "column",
  "typeOnly",
  "confidence",
  "how",
] as const;
export const LINK_WIDTH = LINK_COLUMNS.length;

/**
 * The columns of an entry point. Its strings belong to the file; its symbol may belong to another
 * file.
 */
const ENTRY_COLUMNS = [
  "kind",
  "line",
  "name",
  "framework",
  "symbolFile",
  "symbol",
  "router",
  "from",
] as const;
export const ENTRY_WIDTH = ENTRY_COLUMNS.length;

/** The columns of a mount: a router of another file on a router of this one. */
const MOUNT_COLUMNS = ["prefix", "toFile", "to", "on"] as const;
export const MOUNT_WIDTH = MOUNT_COLUMNS.length;

/** The columns of an unresolved name. The name is a string of the file. */
const UNRESOLVED_COLUMNS = ["name", "kind"] as const;
export const UNRESOLVED_WIDTH = UNRESOLVED_COLUMNS.length;

/** The uses and entry points of one file's symbols, sorted by position. */
export interface FileLinks {
  readonly uses: Int32Array<ArrayBuffer>;
  readonly entrypoints: Int32Array<ArrayBuffer>;
  readonly mounts: Int32Array<ArrayBuffer>;
  readonly unresolved: Int32Array<ArrayBuffer>;
}

/**
 * The links after files were added or removed. `numbers` maps old file numbers to new ones, -1 for
 * a removed file. Undefined if a target was removed.
 */
export function renumberLinks(
  { uses, entrypoints, mounts, unresolved }: FileLinks,
  numbers: Int32Array,
): FileLinks | undefined {
  const moved = {
    uses: uses.slice(),
    entrypoints: entrypoints.slice(),
    mounts: mounts.slice(),
    unresolved,
  };
  const isKept =
    renumber(moved.uses, LINK_WIDTH, LINK_COLUMNS.indexOf("toFile"), numbers) &&
    renumber(moved.mounts, MOUNT_WIDTH, MOUNT_COLUMNS.indexOf("toFile"), numbers) &&
    renumber(moved.entrypoints, ENTRY_WIDTH, ENTRY_COLUMNS.indexOf("symbolFile"), numbers);
  return isKept ? moved : undefined;
}

function renumber(rows: Int32Array, width: number, column: number, numbers: Int32Array): boolean {
  for (let place = column; place < rows.length; place += width) {
    const file = numbers[rows[place]!] ?? -1;
    if (file < 0) return false;
    rows[place] = file;
  }
  return true;
}
