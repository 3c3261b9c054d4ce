import { CodeGraph, CONFIDENCES, RESOLUTIONS, USE_KINDS } from "../graph/index.ts";
import type { Columns, Row } from "../graph/index.ts";
import type { Occurrence } from "./decode-index.ts";
import { IndexedTree } from "./indexed-tree.ts";
import type { CoveredFile } from "./indexed-tree.ts";
import type { ScipIndex } from "./load-index.ts";
import type { SourceTexts } from "./source-texts.ts";
import { isLocal } from "./symbol-names.ts";

const EXACT = CONFIDENCES.indexOf("exact");
const BY_SCOPE = RESOLUTIONS.indexOf("scope");

/**
 * The graph with the references of an index, in each file that the index covers and that has not
 * changed since.
 */
export function withScipIndex(graph: CodeGraph, index: ScipIndex, texts: SourceTexts): CodeGraph {
  const tree = new IndexedTree(graph, index, texts);
  if (tree.files.size === 0) return graph;
  const uses = columnsFor(graph.tables.uses, useRows(graph, tree));
  const unresolved = columnsFor(graph.tables.unresolved, unresolvedRows(graph, tree));
  return new CodeGraph(graph.info, { ...graph.tables, uses, unresolved }, graph.strings);
}

/** Converts rows to columns with the same types as those of a table. */
function columnsFor<Name extends string>(like: Columns<Name>, rows: readonly Row[]): Columns<Name> {
  const entries = Object.entries<Columns[string]>(like).map(([name, column]) => {
    const made = new (column.constructor as new (length: number) => typeof column)(rows.length);
    for (const [place, row] of rows.entries()) made[place] = row[name] ?? 0;
    return [name, made] as const;
  });
  return Object.fromEntries(entries) as Columns<Name>;
}

function rowAt(columns: Columns, row: number): Row {
  const entries = Object.entries(columns).map(([name, column]) => [name, column[row]!] as const);
  return Object.fromEntries(entries);
}

function useRows(graph: CodeGraph, tree: IndexedTree): Row[] {
  const { uses, symbols } = graph;
  const rows: Row[] = [];
  const kinds = new Map<CoveredFile, Map<string, number>>();
  for (let use = 0; use < uses.count; use++) {
    const covered = tree.files.get(symbols.file(uses.from(use)));
    const place = `${uses.line(use)}:${uses.column(use)}`;
    if (!covered || isKept(covered, place, uses.kind(use))) rows.push(rowAt(uses.columns, use));
    else {
      const known = kinds.get(covered) ?? new Map<string, number>();
      kinds.set(covered, known.set(place, USE_KINDS.indexOf(uses.kind(use))));
    }
  }
  for (const covered of tree.files.values()) {
    rows.push(...indexedRows(tree, covered, kinds.get(covered) ?? new Map<string, number>()));
  }
  return rows.toSorted(
    (a, b) => a["from"]! - b["from"]! || a["line"]! - b["line"]! || a["column"]! - b["column"]!,
  );
}

/**
 * An index does not contain framework registrations and names of local symbols, so these uses stay.
 */
function isKept({ byPlace }: CoveredFile, place: string, kind: string): boolean {
  const indexed = byPlace.get(place);
  return kind === "register" || (indexed !== undefined && isLocal(indexed.symbol));
}

function indexedRows(
  tree: IndexedTree,
  covered: CoveredFile,
  kinds: ReadonlyMap<string, number>,
): Row[] {
  const rows: Row[] = [];
  for (const [place, occurrence] of covered.byPlace) {
    const to = tree.definition(occurrence);
    if (to === undefined) continue;
    rows.push({
      from: tree.symbolAround(covered.file, occurrence),
      to,
      kind: kinds.get(place) ?? USE_KINDS.indexOf(useKind(tree, covered, occurrence)),
      line: occurrence.line,
      column: occurrence.column,
      confidence: EXACT,
      how: BY_SCOPE,
    });
  }
  return rows;
}

/** An index does not distinguish calls from other uses, so the text after the name decides. */
function useKind(
  tree: IndexedTree,
  { path }: CoveredFile,
  { isImport, line, endColumn }: Occurrence,
): (typeof USE_KINDS)[number] {
  if (isImport) return "import";
  const rest = tree.texts.lines(path)[line - 1]?.slice(endColumn - 1) ?? "";
  return /^\s*(?:\?\.)?(?:<[^()]*>)?[(`]/.test(rest) ? "call" : "reference";
}

/** A name stays unresolved in a file if the index does not cover every mention of it. */
function unresolvedRows({ unresolved, strings }: CodeGraph, tree: IndexedTree): Row[] {
  const rows: Row[] = [];
  for (let row = 0; row < unresolved.count; row++) {
    const covered = tree.files.get(unresolved.file(row));
    const kept = rowAt(unresolved.columns, row);
    if (!covered || !tree.isExplained(covered, strings.get(kept["name"]!))) rows.push(kept);
  }
  return rows;
}
