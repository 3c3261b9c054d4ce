import { Bindings } from "./bindings.ts";
import type { BindingColumns } from "./bindings.ts";
import { Edges } from "./edges.ts";
import type { EdgeColumns } from "./edges.ts";
import { Exports } from "./exports.ts";
import type { ExportColumns } from "./exports.ts";
import { Files } from "./files.ts";
import type { FileColumns } from "./files.ts";
import { Imports } from "./imports.ts";
import type { ImportColumns } from "./imports.ts";
import type { Manifest } from "./manifest.ts";
import { Entrypoints, Gaps, PackageUses } from "./notes.ts";
import type { NoteColumns, RequestColumns } from "./notes.ts";
import type { Strings } from "./strings.ts";
import { Symbols } from "./symbols.ts";
import type { SymbolColumns } from "./symbols.ts";
import { UnresolvedNames } from "./unresolved-names.ts";
import type { UnresolvedColumns } from "./unresolved-names.ts";
import { USE_KINDS } from "./words.ts";
import type { UseKind } from "./words.ts";

export interface GraphInfo {
  /** The commit that was checked out, if any. */
  readonly rev?: string;
  /** Milliseconds since 1970. */
  readonly indexedAt: number;
  /** `modules` while symbols are still missing. */
  readonly phase: "modules" | "symbols";
  /** Functions that are used like `require`. */
  readonly exotic: readonly string[];
  readonly manifests: readonly Manifest[];
  /** Files of the tree that could not be read, with the reason. */
  readonly absent?: readonly string[];
}

export interface GraphTables {
  readonly files: FileColumns;
  readonly imports: ImportColumns;
  readonly exports: ExportColumns;
  readonly bindings: BindingColumns;
  readonly symbols: SymbolColumns;
  readonly uses: EdgeColumns;
  readonly entrypoints: NoteColumns;
  readonly gaps: RequestColumns;
  readonly packages: RequestColumns;
  readonly unresolved: UnresolvedColumns;
}

/** The facts about a source tree at one moment. It never changes; each update creates a new one. */
export class CodeGraph {
  readonly info: GraphInfo;
  readonly tables: GraphTables;
  readonly strings: Strings;
  readonly files: Files;
  /** Edges between files. */
  readonly imports: Imports;
  readonly exports: Exports;
  readonly bindings: Bindings;
  readonly symbols: Symbols;
  /** Edges between symbols. */
  readonly uses: Edges<UseKind>;
  readonly entrypoints: Entrypoints;
  readonly gaps: Gaps;
  readonly packages: PackageUses;
  readonly unresolved: UnresolvedNames;

  constructor(info: GraphInfo, tables: GraphTables, strings: Strings) {
    this.info = info;
    this.tables = tables;
    this.strings = strings;
    this.files = new Files(tables.files, strings);
    const { count } = this.files;
    const around = { files: count, functions: info.exotic };
    this.imports = new Imports(tables.imports, info.exotic, count);
    this.exports = new Exports(tables.exports, strings, count);
    this.bindings = new Bindings(tables.bindings, strings, this.imports.count, this.exports.count);
    this.symbols = new Symbols(tables.symbols, strings, count);
    this.uses = new Edges(tables.uses, USE_KINDS, this.symbols.count);
    this.entrypoints = new Entrypoints(tables.entrypoints, strings, count);
    this.gaps = new Gaps(tables.gaps, strings, around);
    this.packages = new PackageUses(tables.packages, strings, around);
    this.unresolved = new UnresolvedNames(tables.unresolved, strings, count);
  }
}
