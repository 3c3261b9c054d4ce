import {
  CONFIDENCES,
  CodeGraph,
  IMPORT_KINDS,
  insertRows,
  isNamedLanguage,
  mappedColumn,
  RESOLUTIONS,
} from "../../graph/index.ts";
import type { GraphInfo, Resolution, Row } from "../../graph/index.ts";
import { NuxtNames, defaultName, nuxtFolders } from "./nuxt-names.ts";

interface ImplicitImport {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/** The ways to find a name that has no import statement. A name from Nuxt's `#imports` has one. */
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

/** The exported names that Nuxt makes available without an import. */
function offeredNames({ files, exports, info }: CodeGraph): NuxtNames {
  if (nuxtFolders(info.manifests).length === 0) return new NuxtNames([], []);
  const named = Array.from({ length: files.count }, (_, file) => ({
    path: files.path(file),
    exports: Array.from(exports.inFile(file), (row) => exports.name(row)),
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
  const names = offeredNames(graph);
  const found = new Map<string, ImplicitImport>();
  const add = (one: ImplicitImport): void => {
    const key = `${one.from} ${one.to}`;
    if (one.from !== one.to && !found.has(key)) found.set(key, one);
  };
  for (const one of usedWithoutImport(graph, names)) add(one);
  for (const one of mentionedInTemplates(graph, names)) add(one);
  for (const one of usedByName(graph)) add(one);
  const isNew = ({ from, to }: ImplicitImport): boolean =>
    ![...graph.imports.outOf(from)].some((edge) => graph.imports.to(edge) === to);
  const rows = [...found.values()].filter(isNew).map(rowFor);
  return rows.toSorted((a, b) => a["from"]! - b["from"]!);
}

/** A script uses a symbol of another file, under a name that Nuxt provides. */
function* usedWithoutImport(graph: CodeGraph, names: NuxtNames): Generator<ImplicitImport> {
  const { uses, symbols, files } = graph;
  for (let use = 0; names.areThere && use < uses.count; use++) {
    const target = uses.to(use);
    const [from, to] = [symbols.file(uses.from(use)), symbols.file(target)];
    if (from === to || !FOUND_BY.has(uses.how(use))) continue;
    const called = [symbols.name(target), defaultName(files.path(to))];
    if (!called.some((name) => names.find(files.path(from), name)?.file === to)) continue;
    yield { from, to, line: uses.line(use), column: uses.column(use) };
  }
}

/** In languages that are resolved by name, each use is also a dependency. */
function* usedByName({ uses, symbols, files }: CodeGraph): Generator<ImplicitImport> {
  for (let use = 0; use < uses.count; use++) {
    const from = symbols.file(uses.from(use));
    if (!isNamedLanguage(files.language(from))) continue;
    const to = symbols.file(uses.to(use));
    yield { from, to, line: uses.line(use), column: uses.column(use) };
  }
}

/** A template contains a name. Templates are not parsed, so the position is unknown. */
function* mentionedInTemplates(graph: CodeGraph, names: NuxtNames): Generator<ImplicitImport> {
  const { unresolved, files, strings } = graph;
  for (let row = 0; names.areThere && row < unresolved.count; row++) {
    const from = unresolved.file(row);
    if (files.language(from) !== "vue") continue;
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
