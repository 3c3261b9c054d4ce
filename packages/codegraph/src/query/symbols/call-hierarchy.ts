import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import { placeOfDefinition } from "./definition.ts";
import { definitionOfSymbol, definitionTarget } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { membersAbove, membersBelow } from "../types/member-family.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import { callCompleteness } from "../completeness/call-completeness.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import type { GraphView } from "../answer/view.ts";

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
  /** The next symbol towards the start, if it is not the start itself. */
  readonly next: number | undefined;
  readonly sites: Sites;
}

/** Where a symbol is called, and where it is passed as a callback. */
interface Sites {
  readonly calls: string[];
  readonly registers: string[];
  /** Whether the calls name a member that this one implements or overrides. */
  readonly isRelated: boolean;
}

const MAX_LINKS = 5_000;

/** The calls of a symbol in one direction, by the symbol at the other end. */
function getCalls(graph: CodeGraph, symbol: number, incoming: boolean): Map<number, Sites> {
  const found = new Map<number, Sites>();
  const add = (other: number, use: number, isRelated: boolean): void => {
    const kind = graph.uses.kind(use);
    if (kind !== "call" && kind !== "register") return;
    const sites = found.get(other) ?? { calls: [], registers: [], isRelated };
    const place = `${graph.uses.line(use)}:${graph.uses.column(use)}`;
    sites[kind === "call" ? "calls" : "registers"].push(place);
    found.set(other, sites);
  };
  if (incoming) addCallers(graph, symbol, add);
  else addCallees(graph, symbol, add);
  return found;
}

/** The direct callers or callees of a symbol. */
export function directCalls(graph: CodeGraph, symbol: number, incoming: boolean): number[] {
  return [...getCalls(graph, symbol, incoming)].flatMap(([other, { calls }]) =>
    calls.length > 0 ? other : [],
  );
}

type AddCall = (other: number, use: number, isRelated: boolean) => void;

/** A call of an interface or parent member may call this member. */
function addCallers(graph: CodeGraph, symbol: number, add: AddCall): void {
  const { uses } = graph;
  for (const use of uses.into(symbol)) add(uses.from(use), use, false);
  for (const above of membersAbove(graph, symbol)) {
    for (const use of uses.into(above)) add(uses.from(use), use, true);
  }
}

/** A call of a member may run its implementations and overrides. */
function addCallees(graph: CodeGraph, symbol: number, add: AddCall): void {
  for (const use of graph.uses.outOf(symbol)) {
    const to = graph.uses.to(use);
    add(to, use, false);
    if (graph.uses.kind(use) !== "call") continue;
    for (const below of membersBelow(graph, to)) add(below, use, true);
  }
}

/** The hierarchy level by level. Each symbol occurs once. */
function hierarchy(
  graph: CodeGraph,
  starts: readonly number[],
  incoming: boolean,
  depth: number,
): Link[] {
  const links: Link[] = [];
  const seen = new Set(starts);
  let level = starts;
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: number[] = [];
    for (const symbol of level) {
      for (const [other, sites] of getCalls(graph, symbol, incoming)) {
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

function hierarchyItem(
  graph: CodeGraph,
  symbol: number,
): { name: string; path: string; kind?: string } {
  const { name } = definitionOfSymbol(graph, symbol);
  const path = graph.files.path(graph.symbols.file(symbol));
  const kind = graph.symbols.kind(symbol);
  return kind === "module" ? { name: "(module)", path } : { name, kind, path };
}

function startItem(graph: CodeGraph, definition: Definition): object {
  const { path, line } = placeOfDefinition(graph, definition);
  const { symbol, name } = definition;
  return symbol === undefined ? { name, path, line } : { ...hierarchyItem(graph, symbol), line };
}

/**
 * The symbol between this one and the start of the hierarchy. Says `interface` if the calls name the
 * member of an interface or parent class.
 */
function describeVia(graph: CodeGraph, { depth, next, sites }: Link): { via?: string } {
  const name = depth > 1 ? definitionOfSymbol(graph, next!).name : undefined;
  if (!sites.isRelated) return name === undefined ? {} : { via: name };
  return { via: name === undefined ? "interface" : `${name} (interface)` };
}

/** An item of the hierarchy. A caller has the lines of its calls, not the line of its own name. */
function linkItem(graph: CodeGraph, link: Link, end: "from" | "to"): object {
  const item = hierarchyItem(graph, link.symbol);
  const { calls, registers } = link.sites;
  const { line } = graph.symbols.range(link.symbol);
  return {
    [end]: end === "to" ? { ...item, line } : item,
    ...(calls.length > 0 && { callSites: calls }),
    ...(registers.length > 0 && { registerSites: registers }),
    ...(link.depth > 1 && { depth: link.depth }),
    ...describeVia(graph, link),
  };
}

/** A function that only registers the symbol as a callback does not count as a caller. */
function getStats(callers: readonly Link[], callees: readonly Link[]): object {
  const called = (links: readonly Link[]): number =>
    links.filter(({ sites }) => sites.calls.length > 0).length;
  const stats = { callers: called(callers), callees: called(callees) };
  const registers = callers.length + callees.length - stats.callers - stats.callees;
  return registers === 0 ? stats : { ...stats, registers };
}

/** The symbols whose own callers or callees are listed too. */
function between(links: readonly Link[], depth: number): number[] {
  return links.flatMap((link) => (link.depth < depth ? link.symbol : []));
}

/** The callers and callees of a symbol. */
export function callHierarchy(view: GraphView, input: CallHierarchyInput): Answer<Link> {
  const { graph } = view;
  const { direction = "both", depth = 1, limit = 30 } = input;
  const found = pointedAt(view, input);
  if (graph.info.phase === "modules") {
    throw fail("NOT_READY", "Symbols are not read yet, so calls are not known", {
      hint: `Until then use graph_references with {"symbol": ${JSON.stringify(definitionTarget(graph, found))}}`,
    });
  }
  // A re-exported module has uses but no calls.
  const starts = found.symbol === undefined ? [] : [found.symbol];
  const mask = scopeMask(view, input.scope);
  const callers = direction === "outgoing" ? [] : hierarchy(graph, starts, true, depth);
  const callees = direction === "incoming" ? [] : hierarchy(graph, starts, false, depth);
  const links = [...callers, ...callees].filter(({ symbol }) =>
    isIn(mask, graph.symbols.file(symbol)),
  );
  const stats = getStats(callers, callees);
  return {
    items: links,
    limit,
    limits: { maxItems: limit, maxDepth: depth },
    isCut: links.length >= MAX_LINKS,
    next: [
      {
        tool: "references",
        args: { symbol: definitionTarget(graph, found) },
        reason: "every place that names it",
      },
    ],
    render: (shown) => ({
      item: startItem(graph, found),
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
      stats,
      ...callCompleteness(view, found, {
        called: direction === "outgoing" ? [] : [...starts, ...between(callers, depth)],
        calling: direction === "incoming" ? [] : [...starts, ...between(callees, depth)],
      }),
    }),
  };
}
