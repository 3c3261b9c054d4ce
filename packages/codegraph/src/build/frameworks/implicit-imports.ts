import {
  CONFIDENCES,
  CodeGraph,
  IMPORT_KINDS,
  insertRows,
  isNamedLanguage,
  mappedColumn,
  RESOLUTIONS,
} from "../../graph/index.ts";
import type { Column, GraphInfo, Resolution, Row } from "../../graph/index.ts";
import { firstRow } from "../link/replace-rows.ts";
import { NuxtNames, defaultName, isInNuxt, nuxtFolders } from "./nuxt-names.ts";

interface ImplicitImport {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/**
 * How a name without an import statement was found. Names from Nuxt's `#imports` are left out,
 * because they have an import statement.
 */
const FOUND_BY: ReadonlySet<Resolution> = new Set(["scope", "convention"]);

const known = new WeakMap<CodeGraph, CodeGraph>();

/** Rows of the last graph, which are valid until one of their files changes. */
interface KeptRows {
  readonly key: string;
  readonly rows: readonly Row[];
}
const kept = new WeakMap<GraphInfo["manifests"], KeptRows>();

/** The graph with the imports that a framework adds implicitly. */
export function withImplicitImports(graph: CodeGraph): CodeGraph {
  if (graph.info.phase !== "symbols") return graph;
  let full = known.get(graph);
  if (!full) known.set(graph, (full = addImports(graph)));
  return full;
}

/** The files of Nuxt applications. */
function nuxtFiles({ files, info }: CodeGraph): number[] {
  const folders = nuxtFolders(info.manifests);
  return filesWhere(files.count, (file) => isInNuxt(folders, files.path(file)));
}

function filesWhere(count: number, isWanted: (file: number) => boolean): number[] {
  const found: number[] = [];
  for (let file = 0; file < count; file++) if (isWanted(file)) found.push(file);
  return found;
}

/** The exported names that Nuxt makes available without an import. */
function offeredNames({ files, exports, info }: CodeGraph, own: readonly number[]): NuxtNames {
  const named = own.map((id) => ({
    id,
    path: files.path(id),
    exports: Array.from(exports.inFile(id), (row) => exports.name(row)),
  }));
  return new NuxtNames(named, info.manifests);
}

function addImports(graph: CodeGraph): CodeGraph {
  const { manifests } = graph.info;
  if (nuxtFolders(manifests).length > 0) return withRows(graph, implicitRows(graph));
  const key = namedContents(graph);
  if (key === undefined) return graph;
  let last = kept.get(manifests);
  if (last?.key !== key) kept.set(manifests, (last = { key, rows: implicitRows(graph) }));
  return withRows(graph, last.rows);
}

/** A digest of all files in languages that are resolved by name; undefined if there are none. */
function namedContents({ files }: CodeGraph): string | undefined {
  let [count, sum] = [0, 0];
  for (let file = 0; file < files.count; file++) {
    if (!isNamedLanguage(files.language(file))) continue;
    count += 1;
    const mixed = files.columns.hashLow[file]! ^ files.columns.hashHigh[file]!;
    sum = (Math.imul(sum, 31) + mixed + file) | 0;
  }
  return count === 0 ? undefined : `${files.count} ${count} ${sum}`;
}

function implicitRows(graph: CodeGraph): Row[] {
  const own = nuxtFiles(graph);
  const names = offeredNames(graph, own);
  const found = new Map<string, ImplicitImport>();
  const add = (one: ImplicitImport): void => {
    const key = `${one.from} ${one.to}`;
    if (one.from !== one.to && !found.has(key)) found.set(key, one);
  };
  for (const one of usedWithoutImport(graph, names, own)) add(one);
  for (const one of mentionedInTemplates(graph, names, own)) add(one);
  for (const one of usedByName(graph)) add(one);
  const isNew = ({ from, to }: ImplicitImport): boolean =>
    ![...graph.imports.outOf(from)].some((edge) => graph.imports.to(edge) === to);
  const rows = [...found.values()].filter(isNew).map(rowFor);
  return rows.toSorted((a, b) => a["from"]! - b["from"]!);
}

/** The rows of these files in a column that is sorted by file. */
function* fileRows(column: Column, owners: readonly number[]): Generator<number> {
  for (const owner of owners) {
    const end = firstRow(column, owner + 1);
    for (let row = firstRow(column, owner); row < end; row++) yield row;
  }
}

function* usesIn({ symbols, uses }: CodeGraph, files: readonly number[]): Generator<number> {
  for (const file of files) {
    const start = firstRow(uses.columns.from, firstRow(symbols.columns.file, file));
    const end = firstRow(uses.columns.from, firstRow(symbols.columns.file, file + 1));
    for (let use = start; use < end; use++) yield use;
  }
}

/** Finds the uses in scripts of symbols from other files, under names that Nuxt provides. */
function* usedWithoutImport(
  graph: CodeGraph,
  names: NuxtNames,
  own: readonly number[],
): Generator<ImplicitImport> {
  const { uses, symbols, files } = graph;
  const defaults = new Map<number, string>();
  for (const use of usesIn(graph, own)) {
    if (!FOUND_BY.has(uses.how(use))) continue;
    const target = uses.to(use);
    const [from, to] = [symbols.file(uses.from(use)), symbols.file(target)];
    if (from === to) continue;
    const called = defaults.get(to) ?? defaultName(files.path(to));
    defaults.set(to, called);
    const isOffered = [symbols.name(target), called].some(
      (name) => names.find(files.path(from), name)?.file === to,
    );
    if (isOffered) yield { from, to, line: uses.line(use), column: uses.column(use) };
  }
}

/** In languages that are resolved by name, each use of another file is also a dependency on it. */
function* usedByName(graph: CodeGraph): Generator<ImplicitImport> {
  const { uses, symbols, files } = graph;
  const named = filesWhere(files.count, (file) => isNamedLanguage(files.language(file)));
  for (const use of usesIn(graph, named)) {
    const [from, to] = [symbols.file(uses.from(use)), symbols.file(uses.to(use))];
    yield { from, to, line: uses.line(use), column: uses.column(use) };
  }
}

/**
 * Finds the names that Nuxt provides in templates. Templates are not parsed, so the positions are
 * unknown.
 */
function* mentionedInTemplates(
  { unresolved, files, strings }: CodeGraph,
  names: NuxtNames,
  own: readonly number[],
): Generator<ImplicitImport> {
  const templates = own.filter((file) => files.language(file) === "vue");
  for (const row of fileRows(unresolved.columns.file, templates)) {
    const from = unresolved.file(row);
    const offered = names.find(files.path(from), strings.get(unresolved.columns.name[row]!));
    if (offered) yield { from, to: offered.file, line: 1, column: 1 };
  }
}

function rowFor({ from, to, line, column }: ImplicitImport): Row {
  return {
    from,
    to,
    line,
    column,
    kind: IMPORT_KINDS.indexOf("import"),
    confidence: CONFIDENCES.indexOf("likely"),
    how: RESOLUTIONS.indexOf("convention"),
  };
}

function withRows(graph: CodeGraph, rows: readonly Row[]): CodeGraph {
  const imports = insertRows(graph.tables.imports, "from", rows);
  const edge = mappedColumn(graph.tables.bindings.edge, imports.moved);
  return new CodeGraph(
    graph.info,
    {
      ...graph.tables,
      imports: imports.columns,
      bindings: { ...graph.tables.bindings, edge },
    },
    graph.strings,
  );
}
