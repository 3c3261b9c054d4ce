import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import { directCalls } from "./call-hierarchy.ts";
import { definitionOfSymbol, definitionTarget } from "../names/definitions.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import { callCompleteness } from "../completeness/call-completeness.ts";
import { commentStart, declarationLines } from "./symbol-text.ts";
import type { GraphView } from "../answer/view.ts";

export interface SourceInput extends PositionInput {
  readonly limit?: number;
}

/** The most callers and callees to show with the code; `call_hierarchy` lists all. */
const MAX_NEIGHBOURS = 8;

interface Neighbours {
  readonly shown: readonly string[];
  readonly total: number;
}

/** The callers and callees of a symbol, as targets for the next question. */
function neighbours(graph: CodeGraph, symbol: number | undefined, incoming: boolean): Neighbours {
  const found = symbol === undefined ? [] : directCalls(graph, symbol, incoming);
  const shown = found.slice(0, MAX_NEIGHBOURS);
  return {
    shown: shown.map((each) => definitionTarget(graph, definitionOfSymbol(graph, each))),
    total: found.length,
  };
}

function listedCalls(name: string, { shown, total }: Neighbours): object {
  return { [name]: shown, ...(total > shown.length && { [`${name}Total`]: total }) };
}

/** The code of a symbol with its comment and signature, its callers and its callees. */
export function source(view: GraphView, input: SourceInput): Answer<string> {
  const { graph } = view;
  const { limit = 500 } = input;
  const found = pointedAt(view, input);
  const range = declarationLines(graph, found);
  const first = commentStart(view, range);
  const lines = view.lines(range.path).slice(first - 1, range.end);
  const { symbol } = found;
  const own = symbol === undefined ? [] : [symbol];
  const signature = symbol === undefined ? "" : graph.symbols.detail(symbol);
  const [callers, callees] = [true, false].map((incoming) => neighbours(graph, symbol, incoming));
  const target = definitionTarget(graph, found);
  return {
    items: lines,
    limit,
    levels: 2,
    limits: { maxItems: limit },
    next: [{ tool: "references", args: { symbol: target }, reason: "every place that names it" }],
    render: (shown, level) => ({
      symbol: found.name,
      ...(symbol !== undefined && { kind: graph.symbols.kind(symbol) }),
      path: range.path,
      line: range.start,
      firstLine: first,
      lastLine: range.end,
      ...(signature !== "" && level < 2 && { signature }),
      source: shown.join("\n"),
      ...(level === 0 && {
        ...listedCalls("callers", callers!),
        ...listedCalls("callees", callees!),
        ...callCompleteness(view, found, { called: own, calling: own }),
      }),
    }),
  };
}
