import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

/** A definition: a symbol, or an export while symbols are missing. */
export interface Definition {
  readonly file: number;
  readonly name: string;
  readonly symbol: number | undefined;
  /** The row of the export, if it is exported. */
  readonly export: number | undefined;
}

/** The most definitions with the same name to collect. Searches and errors show only a few. */
export const MAX_SAME_NAME = 1_000;

/** The exports of each symbol from its own file. A symbol may have several names. */
const exportsBySymbol: (graph: CodeGraph) => ReadonlyMap<number, readonly number[]> = perGraph(
  (graph) => {
    const { symbol } = graph.tables.exports;
    const rows = new Map<number, number[]>();
    for (let row = 0; row < symbol.length; row++) {
      const id = symbol[row]!;
      if (id < 0 || graph.exports.definition(row) !== row) continue;
      const known = rows.get(id);
      if (known) known.push(row);
      else rows.set(id, [row]);
    }
    return rows;
  },
);

/** The names under which a symbol is exported, by its own file and by re-exports. */
export function exportNames(graph: CodeGraph, symbol: number): string[] {
  const rows = exportsBySymbol(graph).get(symbol) ?? [];
  return rows.flatMap((row) =>
    [row, ...graph.exports.forwards(row)].map((each) => graph.exports.name(each)),
  );
}

function exportRows(graph: CodeGraph, { symbol, export: row }: Definition): readonly number[] {
  const known = symbol === undefined ? undefined : exportsBySymbol(graph).get(symbol);
  return known ?? (row === undefined ? [] : [row]);
}

/** The imports of a definition, under any of its names. */
export function importsOfDefinition(graph: CodeGraph, definition: Definition): number[] {
  return exportRows(graph, definition).flatMap((each) => {
    return [...graph.bindings.ofExport(each)].map((taken) => graph.bindings.edge(taken));
  });
}

/** The imports that use a definition by importing its whole file, which has no other export. */
export function getWholeImports(graph: CodeGraph, definition: Definition): number[] {
  return exportRows(graph, definition).flatMap((row) => wholeImports(graph, row));
}

/** Imports of a whole file whose only export is this one. */
function wholeImports({ exports, imports, bindings }: CodeGraph, row: number): number[] {
  if (exports.name(row) !== "export=") return [];
  return [...imports.into(exports.file(row))].filter((edge) =>
    [...bindings.ofEdge(edge)].some((binding) => bindings.name(binding) === "*"),
  );
}

/** `Class.method`, or the plain name of a top-level symbol. */
function qualifiedName(graph: CodeGraph, symbol: number): string {
  const parent = graph.symbols.parent(symbol);
  const name = graph.symbols.name(symbol);
  if (parent === undefined || isModule(graph, parent)) return name;
  return `${graph.symbols.name(parent)}.${name}`;
}

export function definitionOfSymbol(graph: CodeGraph, symbol: number): Definition {
  return {
    file: graph.symbols.file(symbol),
    name: qualifiedName(graph, symbol),
    symbol,
    export: exportsBySymbol(graph).get(symbol)?.[0],
  };
}

export function definitionOfExport(graph: CodeGraph, row: number): Definition {
  const origin = graph.exports.definition(row);
  const symbol = graph.exports.symbol(origin);
  const name = graph.exports.name(origin);
  return { file: graph.exports.file(origin), name, symbol, export: origin };
}

function isModule(graph: CodeGraph, symbol: number): boolean {
  return graph.symbols.kind(symbol) === "module";
}

/** A text that `findSymbol` resolves to exactly this definition. For a module, its path. */
export function definitionTarget(graph: CodeGraph, { file, name, symbol }: Definition): string {
  const path = graph.files.path(file);
  return symbol !== undefined && isModule(graph, symbol) ? path : `${path}#${name}`;
}

/** A file as a definition, as in `import * as all`. */
export function moduleDefinition(graph: CodeGraph, path: string): Definition | undefined {
  const file = graph.files.find(path);
  if (file === undefined) return undefined;
  const symbol = [...graph.symbols.inFile(file)].find((each) => isModule(graph, each));
  return symbol === undefined ? undefined : definitionOfSymbol(graph, symbol);
}

function symbolsNamed(graph: CodeGraph, wanted: string, file: number | undefined): number[] {
  const dot = wanted.lastIndexOf(".");
  const owner = dot > 0 ? wanted.slice(0, dot) : undefined;
  const name = dot > 0 ? wanted.slice(dot + 1) : wanted;
  const { symbols } = graph;
  const found: number[] = [];
  for (const symbol of file === undefined ? symbols.named(name) : symbols.inFile(file)) {
    if (isModule(graph, symbol) || symbols.name(symbol) !== name) continue;
    const parent = symbols.parent(symbol);
    if (owner !== undefined && (parent === undefined || symbols.name(parent) !== owner)) continue;
    if (found.push(symbol) === MAX_SAME_NAME) break;
  }
  return found;
}

function exportsNamed(graph: CodeGraph, wanted: string, file: number | undefined): Definition[] {
  const origins = new Set<number>();
  for (const row of graph.exports.named(wanted)) {
    if (file !== undefined && graph.exports.file(row) !== file) continue;
    origins.add(graph.exports.definition(row));
    if (origins.size === MAX_SAME_NAME) break;
  }
  return Array.from(origins, (row) => definitionOfExport(graph, row));
}

/** Overloads count as one definition, and so do a type and a value with the same name. */
function distinct(found: readonly Definition[]): Definition[] {
  const byPlace = new Map<string, Definition>();
  for (const each of found) {
    const place = `${each.file}#${each.name}`;
    const known = byPlace.get(place);
    if (known === undefined || (known.symbol === undefined && each.symbol !== undefined)) {
      byPlace.set(place, each);
    }
  }
  return [...byPlace.values()];
}

/**
 * The definitions that a name may mean, up to a limit. Without a file, exported ones hide the
 * others. In a file, an exact name hides longer names that end with it.
 */
export function namedDefinitions(
  graph: CodeGraph,
  wanted: string,
  file: number | undefined,
): Definition[] {
  const exported = exportsNamed(graph, wanted, file);
  const symbols = symbolsNamed(graph, wanted, file).map((id) => definitionOfSymbol(graph, id));
  const all = distinct([...exported, ...symbols]);
  // In one file, a plain name means the top-level symbol.
  const exact = all.filter(({ name }) => name === wanted);
  if (file !== undefined) return exact.length > 0 ? exact : all;
  const open = all.filter(({ symbol, export: row }) => {
    return row !== undefined || (symbol !== undefined && graph.symbols.exported(symbol));
  });
  return open.length > 0 ? open : all;
}
