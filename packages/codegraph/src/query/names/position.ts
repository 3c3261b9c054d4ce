import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import { definitionOfExport, definitionOfSymbol, definitionTarget } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { ambiguous, fileTarget, findSymbol } from "./target.ts";
import type { GraphView } from "../answer/view.ts";

/** A position in a file, or a symbol by name. */
export interface PositionInput {
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly symbol?: string;
}

interface Seen {
  readonly definition: Definition;
  readonly column: number;
  readonly length: number;
}

/** The names on a line that are uses or imports. */
function usedOn(graph: CodeGraph, file: number, line: number): Seen[] {
  const seen: Seen[] = [];
  for (const symbol of graph.symbols.inFile(file)) {
    for (const use of graph.uses.outOf(symbol)) {
      if (graph.uses.line(use) !== line) continue;
      const definition = definitionOfSymbol(graph, graph.uses.to(use));
      const { length } = graph.symbols.name(graph.uses.to(use));
      seen.push({ definition, column: graph.uses.column(use), length });
    }
  }
  return seen;
}

function importedOn(graph: CodeGraph, file: number, line: number): Seen[] {
  const seen: Seen[] = [];
  for (const edge of graph.imports.outOf(file)) {
    if (graph.imports.line(edge) !== line) continue;
    for (const binding of graph.bindings.ofEdge(edge)) {
      const row = graph.bindings.export(binding);
      if (row === undefined) continue;
      seen.push({ definition: definitionOfExport(graph, row), column: 0, length: Infinity });
    }
  }
  return seen;
}

function declaredOn(graph: CodeGraph, file: number, line: number): Seen[] {
  const seen: Seen[] = [];
  for (const symbol of graph.symbols.inFile(file)) {
    if (graph.symbols.kind(symbol) === "module") continue;
    const range = graph.symbols.range(symbol);
    if (range.line !== line) continue;
    const definition = definitionOfSymbol(graph, symbol);
    seen.push({ definition, column: range.column, length: Infinity });
  }
  return seen;
}

/** The name at the column; without a column, all names on the line. */
function under(seen: readonly Seen[], column: number | undefined): Seen[] {
  if (column === undefined) return [...seen];
  const covering = seen.filter(
    (each) => column >= each.column && column <= each.column + each.length,
  );
  const nearest = Math.max(...covering.map((each) => each.column));
  return covering.filter((each) => each.column === nearest);
}

function distinct(graph: CodeGraph, seen: readonly Seen[]): Definition[] {
  const byPlace = new Map(
    seen.map(({ definition }) => [definitionTarget(graph, definition), definition]),
  );
  return [...byPlace.values()];
}

function atPosition(view: GraphView, path: string, line: number, column?: number): Definition {
  const { graph } = view;
  const file = fileTarget(view, path);
  for (const look of [usedOn, declaredOn, importedOn]) {
    const found = distinct(graph, under(look(graph, file, line), column));
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
      throw ambiguous(`${path}:${line}`, found, (each) => definitionTarget(graph, each));
    }
  }
  const where = `${graph.files.path(file)}:${line}${column === undefined ? "" : `:${column}`}`;
  const early = graph.info.phase === "modules" ? "; symbols are not read yet" : "";
  throw fail("NOT_FOUND", `There is no known symbol at ${where}${early}`, {
    hint: `graph_symbols with {"target": ${JSON.stringify(path)}} lists the symbols`,
  });
}

/** The symbol or file at the given position. */
export function pointedAt(view: GraphView, input: PositionInput): Definition {
  const { path, line, column, symbol } = input;
  if (symbol !== undefined) {
    const place = path === undefined || symbol.includes("#") ? symbol : `${path}#${symbol}`;
    return findSymbol(view, place).definition;
  }
  if (path === undefined || line === undefined) {
    const missing = path === undefined ? "/path" : "/line";
    throw fail("VALIDATION", "Pass path and line, or symbol", {
      issues: [{ path: missing, message: "is required without symbol", missing: true }],
    });
  }
  return atPosition(view, path, line, column);
}
