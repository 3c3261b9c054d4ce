import { at } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { EDGE_COLUMNS, Edges } from "./edges.ts";
import { IMPORT_KINDS } from "./words.ts";
import type { ImportKind } from "./words.ts";

export const IMPORT_COLUMNS = [...EDGE_COLUMNS, "by"] as const;
export type ImportColumns = Columns<(typeof IMPORT_COLUMNS)[number]>;

/** The import edges between files. */
export class Imports extends Edges<ImportKind> {
  readonly #by: ImportColumns["by"];
  readonly #functions: readonly string[];

  constructor(columns: ImportColumns, functions: readonly string[], files: number) {
    super(columns, IMPORT_KINDS, files);
    this.#by = columns.by;
    this.#functions = functions;
  }

  /** The function that is used like `require`. */
  by(edge: number): string | undefined {
    return functionAt(this.#functions, at(this.#by, edge));
  }
}

/** Functions are numbered from 1; 0 is none. */
export function functionAt(functions: readonly string[], number: number): string | undefined {
  return number === 0 ? undefined : functions[number - 1];
}
