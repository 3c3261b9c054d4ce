import { fail } from "@waybill/core";
import type { CodeGraph } from "../graph/index.ts";
import type { Answer } from "./answer.ts";
import { definitionOfSymbol, placeOf } from "./definitions.ts";
import { pointedAt } from "./position.ts";
import type { PositionInput } from "./position.ts";
import { symbolCompleteness } from "./references.ts";
import { isIn, scopeMask } from "./scope.ts";
import type { GraphView } from "./view.ts";

export interface CallHierarchyInput extends PositionInput {
  readonly direction?: "incoming" | "outgoing" | "both";
  readonly depth?: number;
  readonly limit?: number;
  readonly scope?: string;
}

interface Link {
  readonly direction: "callers" | "callees";
  readonly symbol: number;
  readonly depth: number;
  /** The symbol that it calls, or that calls it, where that is not the one asked about. */
  readonly next: number | undefined;
  readonly sites: readonly string[];
}

const MAX_LINKS = 5_000;

/** The calls of a symbol in one direction, by the symbol at the other end. */
function callsOf(graph: CodeGraph, symbol: number, incoming: boolean): Map<number, string[]> {
  const calls = new Map<number, string[]>();
  const { uses } = graph;
  for (const use of incoming ? uses.into(symbol) : uses.outOf(symbol)) {
    const kind = uses.kind(use);
    if (kind !== "call" && kind !== "register") continue;
    const other = incoming ? uses.from(use) : uses.to(use);
    const sites = calls.get(other) ?? [];
    sites.push(`${uses.line(use)}:${uses.column(use)}`);
    calls.set(other, sites);
  }
  return calls;
}

/** Level by level, each symbol once. */
function hierarchy(graph: CodeGraph, start: number, incoming: boolean, depth: number): Link[] {
  const links: Link[] = [];
  const seen = new Set([start]);
  let level = [start];
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: number[] = [];
    for (const symbol of level) {
      for (const [other, sites] of callsOf(graph, symbol, incoming)) {
        if (seen.has(other) || links.length >= MAX_LINKS) continue;
        seen.add(other);
        next.push(other);
        links.push({
          direction: incoming ? "callers" : "callees",
          symbol: other,
          depth: step,
          next: step > 1 ? symbol : undefined,
          sites,
        });
      }
    }
    level = next;
  }
  return links;
}

function itemOf(graph: CodeGraph, symbol: number): { name: string; path: string; kind?: string } {
  const { name } = definitionOfSymbol(graph, symbol);
  const path = graph.files.path(graph.symbols.file(symbol));
  const kind = graph.symbols.kind(symbol);
  return kind === "module" ? { name: "(module)", path } : { name, kind, path };
}

/** Where a caller itself begins is not told: the lines of its calls are. */
function linkItem(graph: CodeGraph, link: Link, end: "from" | "to"): object {
  const item = itemOf(graph, link.symbol);
  const { line } = graph.symbols.range(link.symbol);
  return {
    [end]: end === "to" ? { ...item, line } : item,
    callSites: link.sites,
    ...(link.depth > 1 && {
      depth: link.depth,
      via: definitionOfSymbol(graph, link.next!).name,
    }),
  };
}

/** Who calls something, and what it calls. */
export function callHierarchy(view: GraphView, input: CallHierarchyInput): Answer<Link> {
  const { graph } = view;
  const { direction = "both", depth = 1, limit = 30 } = input;
  const found = pointedAt(view, input);
  if (found.symbol === undefined) {
    throw fail("NOT_READY", "Symbols are not read yet, so calls are not known", {
      hint: `graph_references with {"symbol": ${JSON.stringify(placeOf(graph, found))}} works already`,
    });
  }
  const start = found.symbol;
  const mask = scopeMask(view, input.scope);
  const callers = direction === "outgoing" ? [] : hierarchy(graph, start, true, depth);
  const callees = direction === "incoming" ? [] : hierarchy(graph, start, false, depth);
  const links = [...callers, ...callees].filter(({ symbol }) =>
    isIn(mask, graph.symbols.file(symbol)),
  );
  return {
    items: links,
    limit,
    limits: { maxItems: limit, maxDepth: depth },
    isCut: links.length >= MAX_LINKS,
    next: [
      {
        tool: "references",
        args: { symbol: placeOf(graph, found) },
        reason: "every place that names it",
      },
    ],
    render: (shown) => ({
      item: { ...itemOf(graph, start), line: graph.symbols.range(start).line },
      ...(direction !== "outgoing" && {
        callers: shown
          .filter((link) => link.direction === "callers")
          .map((link) => linkItem(graph, link, "from")),
      }),
      ...(direction !== "incoming" && {
        callees: shown
          .filter((link) => link.direction === "callees")
          .map((link) => linkItem(graph, link, "to")),
      }),
      stats: { callers: callers.length, callees: callees.length },
      ...symbolCompleteness(view, found),
    }),
  };
}
