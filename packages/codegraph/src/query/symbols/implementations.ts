import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import { definitionOfSymbol, definitionTarget } from "../names/definitions.ts";
import { placeOfDefinition } from "./definition.ts";
import {
  mayBeRelated,
  membersAbove,
  membersBelow,
  typesAbove,
  typesBelow,
} from "../types/member-family.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { lessComplete } from "../completeness/completeness.ts";
import { MAY_BE_RELATED, symbolCompleteness } from "../completeness/symbol-completeness.ts";
import type { GraphView } from "../answer/view.ts";

export interface ImplementationsInput extends PositionInput {
  readonly direction?: "down" | "up";
  readonly limit?: number;
  readonly scope?: string;
}

const TYPES = new Set(["class", "interface", "struct", "type"]);

function findRelatives(graph: CodeGraph, symbol: number, isUp: boolean): readonly number[] {
  if (TYPES.has(graph.symbols.kind(symbol))) {
    return isUp ? typesAbove(graph, symbol) : typesBelow(graph, symbol);
  }
  return isUp ? membersAbove(graph, symbol) : membersBelow(graph, symbol);
}

function heirReasons(graph: CodeGraph, symbol: number | undefined): string[] {
  const isType = symbol !== undefined && TYPES.has(graph.symbols.kind(symbol));
  return isType && mayBeRelated(graph, symbol) ? [MAY_BE_RELATED] : [];
}

/** Lists implementations and overrides of a type or member, or, upwards, what it implements. */
export function implementations(view: GraphView, input: ImplementationsInput): Answer<number> {
  const { graph } = view;
  const { direction = "down", limit = 20 } = input;
  const found = pointedAt(view, input);
  const mask = scopeMask(view, input.scope);
  const relatives =
    found.symbol === undefined ? [] : findRelatives(graph, found.symbol, direction === "up");
  const items = relatives.filter((symbol) => isIn(mask, graph.symbols.file(symbol)));
  return {
    items,
    limit,
    limits: { maxItems: limit },
    next: [
      { tool: "references", args: { symbol: definitionTarget(graph, found) }, reason: "its uses" },
    ],
    render: (shown) => ({
      symbol: found.name,
      definedIn: placeOfDefinition(graph, found).path,
      implementations: shown.map((symbol) => {
        const definition = definitionOfSymbol(graph, symbol);
        const { path, line } = placeOfDefinition(graph, definition);
        return { name: definition.name, kind: graph.symbols.kind(symbol), path, line };
      }),
      ...lessComplete(symbolCompleteness(view, found), heirReasons(graph, found.symbol)),
    }),
  };
}
