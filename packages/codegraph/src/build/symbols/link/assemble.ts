import {
  EDGE_COLUMNS,
  ENTRYPOINT_KINDS,
  NONE,
  NOTE_COLUMNS,
  SYMBOL_COLUMNS,
  SYMBOL_KINDS,
  UNRESOLVED_COLUMNS,
} from "../../../graph/index.ts";
import type {
  Columns,
  EdgeColumns,
  Interner,
  NoteColumns,
  SymbolColumns,
  UnresolvedColumns,
} from "../../../graph/index.ts";
import type { ServedFile } from "../../entrypoints/index.ts";
import { packed } from "../../link/table.ts";
import { FactsView, getSymbolCount } from "../facts/facts-view.ts";
import { SYMBOL_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { ENTRY_WIDTH, LINK_WIDTH, UNRESOLVED_WIDTH } from "./file-links.ts";
import type { FileLinks } from "./file-links.ts";
import { Mounts } from "./mounts.ts";

/** A file with its facts and its resolved links. */
export interface LinkedSource {
  readonly path: string;
  /**
   * The facts; undefined if the file was not read for symbols. The file still has a symbol for its
   * module.
   */
  readonly facts: FileSymbolData | undefined;
  readonly links: FileLinks | undefined;
  /** Set if the file as a whole is an entry point. */
  readonly served?: readonly ServedFile[] | undefined;
  /** Frameworks whose file conventions do not apply to this file. */
  readonly strangeTo?: ReadonlySet<string> | undefined;
}

export interface SymbolTables {
  readonly symbols: SymbolColumns;
  readonly uses: EdgeColumns;
  readonly entrypoints: NoteColumns;
  readonly unresolved: UnresolvedColumns;
  /** The row of each file's module symbol. Its other symbols follow. */
  readonly starts: Uint32Array;
}

const MODULE = SYMBOL_KINDS.indexOf("module");

/** Builds the tables of a graph from the symbols and links of all files. */
export function assembleSymbols(files: readonly LinkedSource[], strings: Interner): SymbolTables {
  const starts = symbolStarts(files);
  return { ...assembleFiles(files, files.keys(), starts, strings, new Mounts(files)), starts };
}

/** Cached, because the next edit needs the rows of the same files again. */
const knownStarts = new WeakMap<readonly LinkedSource[], Uint32Array>();

/** The row of each file's module symbol. */
export function symbolStarts(files: readonly LinkedSource[]): Uint32Array {
  const known = knownStarts.get(files);
  if (known) return known;
  const starts = new Uint32Array(files.length + 1);
  for (let file = 0; file < files.length; file++) {
    starts[file + 1] = starts[file]! + symbolsIn(files[file]!);
  }
  knownStarts.set(files, starts);
  return starts;
}

function symbolsIn({ facts }: LinkedSource): number {
  return facts ? getSymbolCount(facts) : 1;
}

/** The rows after an edit of a few files, in ascending order. The files before the first keep theirs. */
export function editedStarts(
  before: readonly LinkedSource[],
  files: readonly LinkedSource[],
  edited: readonly number[],
): Uint32Array {
  const starts = symbolStarts(before).slice();
  for (const id of edited) {
    const more = starts[id]! + symbolsIn(files[id]!) - starts[id + 1]!;
    if (more !== 0) for (let at = id + 1; at < starts.length; at++) starts[at]! += more;
  }
  knownStarts.set(files, starts);
  return starts;
}

/** The rows of some files, with their numbers among all rows. */
export function assembleFiles(
  files: readonly LinkedSource[],
  wanted: Iterable<number>,
  starts: Uint32Array,
  strings: Interner,
  mounts: Mounts,
): Omit<SymbolTables, "starts"> {
  const symbols = new Rows(SYMBOL_COLUMNS);
  const uses = new Rows(EDGE_COLUMNS);
  const entrypoints = new Rows(NOTE_COLUMNS);
  const unresolved = new Rows(UNRESOLVED_COLUMNS);
  for (const file of wanted) {
    const source = files[file]!;
    const view = source.facts && new FactsView(source.facts);
    if (view) addSymbols(symbols, file, view, starts[file]!, strings);
    else addModule(symbols, file, source.path, strings);
    for (const one of source.served ?? [])
      addServed(entrypoints, file, one, starts[file]!, strings);
    if (!source.links) continue;
    addUses(uses, source.links.uses, starts[file]!, starts);
    if (view) addUnresolved(unresolved, file, source.links.unresolved, view, strings);
    if (view) addEntrypoints(entrypoints, source, file, view, starts, strings, mounts);
  }
  return {
    symbols: symbols.finish(),
    uses: uses.finish(),
    entrypoints: entrypoints.finish(),
    unresolved: unresolved.finish(),
  };
}

/** Collects the rows of a table, which is stored by columns. */
class Rows<Name extends string> {
  readonly #names: readonly Name[];
  readonly #columns: number[][];

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#columns = names.map(() => []);
  }

  /** Adds a row. The values are in the order of the names. */
  push(...values: readonly number[]): void {
    for (let place = 0; place < this.#columns.length; place++)
      this.#columns[place]!.push(values[place]!);
  }

  finish(): Columns<Name> {
    const columns = this.#names.map(
      (name, place) => [name, packed(this.#columns[place]!)] as const,
    );
    return Object.fromEntries(columns) as Columns<Name>;
  }
}

type SymbolRows = Rows<(typeof SYMBOL_COLUMNS)[number]>;
type UseRows = Rows<(typeof EDGE_COLUMNS)[number]>;
type NoteRows = Rows<(typeof NOTE_COLUMNS)[number]>;

function addSymbols(
  rows: SymbolRows,
  file: number,
  view: FactsView,
  start: number,
  strings: Interner,
): void {
  const count = view.count("symbols");
  for (let symbol = 0; symbol < count; symbol++) {
    const value = (column: number): number => view.get("symbols", symbol, column);
    const parent = value(SYMBOL.parent);
    rows.push(
      file,
      strings.idOf(view.text(value(SYMBOL.name))),
      value(SYMBOL.kind),
      parent < 0 ? NONE : start + parent,
      value(SYMBOL.flags) & SYMBOL_FLAG.exported,
      value(SYMBOL.line),
      value(SYMBOL.column),
      value(SYMBOL.endLine),
      value(SYMBOL.endColumn),
      strings.idOf(view.text(value(SYMBOL.detail))),
    );
  }
}

function addModule(rows: SymbolRows, file: number, path: string, strings: Interner): void {
  const name = strings.idOf(path.slice(path.lastIndexOf("/") + 1));
  rows.push(file, name, MODULE, NONE, 0, 1, 1, 1, 1, strings.idOf(""));
}

function addUses(rows: UseRows, links: Int32Array, start: number, starts: Uint32Array): void {
  for (let row = 0; row < links.length; row += LINK_WIDTH) {
    const [from, toFile, to, ...rest] = links.subarray(row, row + LINK_WIDTH);
    rows.push(start + from!, starts[toFile!]! + to!, ...rest);
  }
}

function addUnresolved(
  rows: Rows<(typeof UNRESOLVED_COLUMNS)[number]>,
  file: number,
  links: Int32Array,
  view: FactsView,
  strings: Interner,
): void {
  for (let row = 0; row < links.length; row += UNRESOLVED_WIDTH) {
    rows.push(file, strings.idOf(view.text(links[row]!)), links[row + 1]!);
  }
}

function addServed(
  rows: NoteRows,
  file: number,
  { kind, name, framework }: ServedFile,
  module: number,
  strings: Interner,
): void {
  const number = ENTRYPOINT_KINDS.indexOf(kind);
  rows.push(file, number, 1, strings.idOf(name), strings.idOf(framework), module);
}

function addEntrypoints(
  rows: NoteRows,
  source: LinkedSource,
  file: number,
  view: FactsView,
  starts: Uint32Array,
  strings: Interner,
  mounts: Mounts,
): void {
  const entries = source.links?.entrypoints ?? new Int32Array();
  for (let row = 0; row < entries.length; row += ENTRY_WIDTH) {
    const [kind, line, name, framework, symbolFile, symbol, router, from] = entries.subarray(
      row,
      row + ENTRY_WIDTH,
    );
    const by = view.text(framework!);
    if (source.strangeTo?.has(by) === true) continue;
    const handler = symbolFile! < 0 ? NONE : starts[symbolFile!]! + symbol!;
    for (const text of mounts.namesOf(file, view.text(name!), router!, from!)) {
      rows.push(file, kind!, line!, strings.idOf(text), strings.idOf(by), handler);
    }
  }
}
