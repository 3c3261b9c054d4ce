import {
  BINDING_COLUMNS,
  CONFIDENCES,
  EDGE_COLUMNS,
  EXPORT_COLUMNS,
  EXPORT_KINDS,
  FILE_COLUMNS,
  FILE_KINDS,
  IMPORT_COLUMNS,
  IMPORT_KINDS,
  LANGUAGES,
  LOADING,
  NONE,
  NOTE_COLUMNS,
  PARSE_STATES,
  REQUEST_COLUMNS,
  RESOLUTIONS,
  SYMBOL_COLUMNS,
  UNRESOLVED_COLUMNS,
} from "../../graph/index.ts";
import type { Column, GraphTables, Interner } from "../../graph/index.ts";
import type { Request } from "../modules/facts.ts";
import type { FileTarget, Target } from "../resolve/resolver.ts";
import type { FileTree } from "../resolve/tree.ts";
import { ExportIndex } from "./export-index.ts";
import type { ExportSlot } from "./export-index.ts";
import { firstRow, replaceRows, RowShift } from "./replace-rows.ts";
import type { Replaced } from "./replace-rows.ts";
import { PackageNames } from "./package-names.ts";
import { isAskedFor, renumberExports } from "./renumber-exports.ts";
import { hasSameFrame, hasSameShape } from "./shape.ts";
import { getGap, RequestRows } from "./request-rows.ts";
import type { PlacedGap } from "./request-rows.ts";
import type { SourceFile } from "./source-file.ts";
import { packed, Table } from "./table.ts";

const yes = (value: boolean): number => (value ? 1 : 0);
const byName = (a: ExportSlot, b: ExportSlot): number => (a.fact.name < b.fact.name ? -1 : 1);

const newTables = () => ({
  files: new Table(FILE_COLUMNS),
  imports: new Table(IMPORT_COLUMNS),
  exports: new Table(EXPORT_COLUMNS),
  bindings: new Table(BINDING_COLUMNS),
  gaps: new Table(REQUEST_COLUMNS),
  packages: new Table(REQUEST_COLUMNS),
});

/** Builds the tables of a module graph from the facts of each file. Symbols are added later. */
export class ModuleLinker {
  readonly #files: readonly SourceFile[];
  readonly #tree: FileTree;
  readonly #strings: Interner;
  readonly #rows: RequestRows;
  readonly #index: ExportIndex;
  #tables = newTables();
  #names: PackageNames | undefined;

  constructor(
    files: readonly SourceFile[],
    tree: FileTree,
    strings: Interner,
    exotic: readonly string[],
  ) {
    this.#files = files;
    this.#tree = tree;
    this.#strings = strings;
    this.#rows = new RequestRows(strings, exotic);
    this.#index = new ExportIndex(files, tree);
  }

  link(): GraphTables {
    for (const [id, file] of this.#files.entries()) {
      this.#addFile(file);
      this.#addExports(id);
    }
    for (const [id, file] of this.#files.entries()) {
      this.#addTargets(id);
      this.#addRequests(id, file);
    }
    const { files, imports, exports, bindings, gaps, packages } = this.#tables;
    this.#tables = newTables();
    return {
      files: files.finish(),
      imports: imports.finish(),
      exports: exports.finish(),
      bindings: bindings.finish(),
      gaps: gaps.finish(),
      packages: packages.finish(),
      symbols: new Table(SYMBOL_COLUMNS).finish(),
      uses: new Table(EDGE_COLUMNS).finish(),
      entrypoints: new Table(NOTE_COLUMNS).finish(),
      unresolved: new Table(UNRESOLVED_COLUMNS).finish(),
    };
  }

  /**
   * The tables after an edit of some files, with the rows of other files unchanged. Undefined if
   * imports or re-exports of other files may change.
   */
  editAll(
    tables: GraphTables,
    before: readonly SourceFile[],
    now: readonly SourceFile[],
    edited: readonly number[],
  ): GraphTables | undefined {
    if (!edited.every((id) => hasSameFrame(before[id]!, now[id]!))) return undefined;
    let next: GraphTables | undefined = tables;
    for (const id of edited) {
      if (hasSameShape(before[id]!, now[id]!)) this.#index.takeLines(id, now[id]!);
      else next = this.#renamed(next, id, now[id]!);
      if (!next) return undefined;
      next = this.#edit(next, id, now[id]!);
    }
    return next;
  }

  /**
   * The tables after a file's exports have changed. Undefined if another file imports a changed
   * name.
   */
  #renamed(tables: GraphTables, id: number, now: SourceFile): GraphTables | undefined {
    const other = this.#index.takeNames(id, now);
    if (!other || isAskedFor(tables, other, this.#strings)) return undefined;
    const others = other.files.map((file) => {
      const slots = this.#sorted(file);
      const rows = new Table(EXPORT_COLUMNS);
      for (const slot of slots) {
        const symbol = slot.row === NONE ? NONE : tables.exports.symbol[slot.row]!;
        rows.push({ ...this.#exportRow(slot), symbol });
      }
      return { file, slots, rows: rows.finish() };
    });
    return renumberExports(tables, others, this.#index);
  }

  #edit(tables: GraphTables, id: number, now: SourceFile): GraphTables {
    this.#tables = newTables();
    this.#addFile(now);
    this.#addRequests(id, now);
    const rows = this.#tables;
    const edges = rangeIn(tables.imports.from, id, rows.imports);
    const taken = rows.bindings.finish();
    const names = {
      start: firstRow(tables.bindings.edge, edges.start),
      end: firstRow(tables.bindings.edge, edges.end),
      rows: {
        ...taken,
        edge: packed(Array.from<number>(taken.edge).map((at) => at + edges.start)),
      },
    };
    const edge = new RowShift([{ ...edges, count: edges.rows.from.length }]);
    return {
      ...tables,
      files: replaceRows(tables.files, [{ start: id, end: id + 1, rows: rows.files.finish() }]),
      imports: replaceRows(tables.imports, [edges]),
      bindings: replaceRows(tables.bindings, [names], { edge }),
      exports: { ...tables.exports, line: this.#linesOf(id, tables.exports.line) },
      gaps: replaceRows(tables.gaps, [rangeIn(tables.gaps.file, id, rows.gaps)]),
      packages: replaceRows(tables.packages, [rangeIn(tables.packages.file, id, rows.packages)]),
    };
  }

  #linesOf(file: number, lines: Column): Column {
    const changed = Uint32Array.from(lines);
    for (const { row, fact } of this.#index.inFile(file)) changed[row] = fact.line;
    return packed(changed);
  }

  #addFile({ path, language, kind, facts, bytes, hashLow, hashHigh }: SourceFile): void {
    this.#tables.files.push({
      path: this.#strings.idOf(path),
      language: LANGUAGES.indexOf(language),
      kind: FILE_KINDS.indexOf(kind),
      state: PARSE_STATES.indexOf(facts.state),
      lines: facts.lines,
      bytes,
      hashLow,
      hashHigh,
    });
  }

  /**
   * Rows are numbered in file order, so rows for definitions in later files are known only at the
   * end.
   */
  #addExports(file: number): void {
    for (const slot of this.#sorted(file))
      slot.row = this.#tables.exports.push(this.#exportRow(slot));
  }

  #sorted(file: number): ExportSlot[] {
    return [...this.#index.inFile(file)].toSorted(byName);
  }

  #exportRow({ file, fact, kind }: ExportSlot): Record<(typeof EXPORT_COLUMNS)[number], number> {
    return {
      file,
      name: this.#strings.idOf(fact.name),
      kind: EXPORT_KINDS.indexOf(kind),
      typeOnly: yes(fact.typeOnly),
      line: fact.line,
      target: NONE,
      symbol: NONE,
    };
  }

  #addTargets(id: number): void {
    for (const slot of this.#index.inFile(id)) {
      if (slot.definition) this.#tables.exports.set(slot.row, "target", slot.definition.row);
    }
  }

  #addRequests(id: number, { facts, targets }: SourceFile): void {
    const gaps: PlacedGap[] = [...facts.gaps];
    for (const [place, request] of facts.requests.entries()) {
      const target = targets[place];
      if (request.kind === "package") this.#addSiblings(id, request, target);
      else if (target?.to === "file") this.#addEdges(id, request, target);
      else if (target?.to === "package" || target?.to === "builtin") {
        if (!request.optional)
          this.#tables.packages.push(this.#rows.ofPackage(id, request, target));
      } else if (target && target.to !== "folder" && !request.optional) {
        gaps.push(getGap(request, target.to));
      }
    }
    const sorted = gaps.toSorted((a, b) => a.line - b.line);
    for (const gap of sorted) this.#tables.gaps.push(this.#rows.ofGap(id, gap));
  }

  /** Adds an edge to each file of the package that declares a name which this file uses. */
  #addSiblings(from: number, request: Request, target: Target | undefined): void {
    if (target?.to !== "file") return;
    this.#names ??= new PackageNames(this.#files);
    for (const { file, names, confidence } of this.#names.usedBy(from, request.names)) {
      const line = names[0]?.line ?? request.line;
      this.#addEdge(from, file, { ...request, names, line, column: 1, confidence }, target);
    }
  }

  #addEdges(from: number, request: Request, target: FileTarget): void {
    for (const path of [target.path, ...(target.others ?? [])]) {
      const to = this.#tree.idOf(path);
      if (to !== undefined) this.#addEdge(from, to, request, target);
    }
  }

  #addEdge(from: number, to: number, request: Request, target: FileTarget): void {
    const isSure = target.confidence === "exact" && request.confidence === "exact";
    const edge = this.#tables.imports.push({
      from,
      to,
      kind: IMPORT_KINDS.indexOf(request.kind),
      line: request.line,
      column: request.column,
      typeOnly: whenLoaded(request, target),
      confidence: CONFIDENCES.indexOf(isSure ? "exact" : "likely"),
      how: RESOLUTIONS.indexOf(target.how),
      by: this.#rows.numberOf(request.by),
    });
    for (const { name, typeOnly } of request.names) {
      this.#tables.bindings.push({
        edge,
        name: this.#strings.idOf(name),
        typeOnly: yes(typeOnly),
        export: name === "*" ? NONE : (this.#index.definitionOf(to, name)?.row ?? NONE),
      });
    }
  }
}

function whenLoaded({ typeOnly, isInline }: Request, { keepsTypes }: FileTarget): number {
  if (!typeOnly) return LOADING.always;
  if (isInline !== true) return LOADING.never;
  return keepsTypes === true ? LOADING.bySettings : LOADING.withNode;
}

/** The row range of a file in a sorted table, with its replacement. */
function rangeIn<Name extends string>(
  column: Column,
  file: number,
  table: Table<Name>,
): Replaced<Name> {
  return { start: firstRow(column, file), end: firstRow(column, file + 1), rows: table.finish() };
}
