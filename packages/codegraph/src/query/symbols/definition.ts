import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import type { Definition } from "../names/definitions.ts";
import { definitionTarget } from "../names/definitions.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import type { GraphView } from "../answer/view.ts";

export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The position of a definition. An export without a symbol has only a line. */
export function placeOfDefinition(graph: CodeGraph, defined: Definition): Place {
  const path = graph.files.path(defined.file);
  if (defined.symbol !== undefined) return { path, ...graph.symbols.range(defined.symbol) };
  const line = defined.export === undefined ? 1 : graph.exports.line(defined.export);
  return { path, line, column: 1, endLine: line, endColumn: 1 };
}

/**
 * The other definitions of the same thing: overloads, and a type and a value with the same name.
 */
export function siblings(graph: CodeGraph, defined: Definition): Definition[] {
  if (defined.symbol === undefined) return [defined];
  const { file, symbol } = defined;
  // In Go a function and a method with the same name are unrelated.
  if (graph.files.language(file) === "go") return [defined];
  const parent = graph.symbols.parent(symbol);
  const name = graph.symbols.name(symbol);
  return [...graph.symbols.inFile(file)]
    .filter((other) => graph.symbols.name(other) === name && graph.symbols.parent(other) === parent)
    .map((other) => ({ ...defined, symbol: other }));
}

/** Finds a definition, through re-exports and aliases. */
export function definition(view: GraphView, input: PositionInput): Answer {
  const { graph } = view;
  const found = pointedAt(view, input);
  const target = definitionTarget(graph, found);
  return {
    items: siblings(graph, found),
    limit: 20,
    next: [{ tool: "references", args: { symbol: target }, reason: "its uses" }],
    render: (shown) => ({
      symbol: found.name,
      definitions: (shown as Definition[]).map((each) => {
        const place = placeOfDefinition(graph, each);
        return { ...place, lineText: view.lineText(place.path, place.line) };
      }),
    }),
  };
}
