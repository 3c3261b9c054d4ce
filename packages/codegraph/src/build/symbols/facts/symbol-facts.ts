/** The columns of each table of facts; columns are numbered by position. */
export const TABLES = {
  symbols: [
    "name",
    "kind",
    "parent",
    "flags",
    "line",
    "column",
    "endLine",
    "endColumn",
    "detail",
    "type",
    "typeParameters",
    "heritage",
  ],
  sites: ["node", "from", "line", "column", "flags"],
  exports: ["name", "value", "type", "line"],
  stars: ["specifier"],
  entrypoints: ["kind", "name", "line", "from", "handler", "framework", "router"],
  mounts: ["prefix", "router", "on"],
  unresolved: ["name", "kind"],
} as const;
export type TableName = keyof typeof TABLES;

/** The column numbers of each table. */
export const SYMBOL = columnNumbers(TABLES.symbols);
export const SITE = columnNumbers(TABLES.sites);
export const EXPORT = columnNumbers(TABLES.exports);
export const ENTRYPOINT = columnNumbers(TABLES.entrypoints);
export const MOUNT = columnNumbers(TABLES.mounts);

function columnNumbers<Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, place) => [name, place])) as Record<Name, number>;
}

/**
 * The facts of one file, independent of other files. They are two values, because a thread
 * transfers one array and one string much faster than thousands of small objects.
 */
export interface FileSymbolData {
  /** The length of the code, the number of rows of each table, the surface hash, then all data. */
  readonly numbers: Int32Array<ArrayBuffer>;
  /** Each text once, separated by NUL. */
  readonly texts: string;
}

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];
export const SEPARATOR = "\0";
/** The header: the code's length, the hash, and the number of rows of each table. */
export const HEADER = 2 + TABLE_NAMES.length;
