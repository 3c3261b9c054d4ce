import type { CodeGraph } from "../../graph/index.ts";
import { linkBetween, linksIn, linksOut, reachFrom } from "../../analysis/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { getCompleteness } from "../completeness/completeness.ts";
import { importItem } from "../names/import-item.ts";
import { findTarget } from "../names/target.ts";
import type { GraphView } from "../answer/view.ts";
import { shortestWays } from "./shortest-ways.ts";

export interface PathInput {
  readonly from: string;
  readonly to: string;
  readonly maxDepth?: number;
  readonly maxPaths?: number;
  readonly includeEdgeDetails?: boolean;
}

function pathEdges(graph: CodeGraph, way: readonly number[]): object[] {
  const links = linksOut(graph);
  return way.slice(1).map((to, at) => {
    const edge = links.edges[linkBetween(links, way[at]!, to)!]!;
    return { ...importItem(graph, edge), how: graph.imports.how(edge) };
  });
}

/** If there is no path, there may be one in the opposite direction. */
function turnedRound(graph: CodeGraph, from: number, to: number, maxDepth: number): FollowUp[] {
  const { steps } = reachFrom(linksOut(graph), [to], { maxSteps: maxDepth });
  if (steps[from] === -1) return [];
  const args = { from: graph.files.path(to), to: graph.files.path(from), maxDepth };
  return [{ tool: "path", args, reason: "there is a path in the other direction" }];
}

function deeper(steps: number | undefined, input: PathInput): FollowUp[] {
  if (steps === undefined || steps === -1) return [];
  const args = { from: input.from, to: input.to, maxDepth: steps };
  return [{ tool: "path", args, reason: `connected in ${steps} hops` }];
}

/** The import paths from one file to another, the shortest first. */
export function path(view: GraphView, input: PathInput): Answer<number[]> {
  const { graph } = view;
  const { maxDepth = 10, maxPaths = 3, includeEdgeDetails = false } = input;
  const { file: from } = findTarget(view, input.from);
  const { file: to } = findTarget(view, input.to);
  const back = reachFrom(linksIn(graph), [to]);
  const hops = back.steps[from]!;
  const isConnected = hops !== -1 && hops <= maxDepth;
  const ways = isConnected
    ? shortestWays(linksOut(graph), from, back.steps, maxPaths, maxDepth)
    : [];
  const known = getCompleteness(view, graph.files.path(to));
  const next = isConnected
    ? []
    : [...deeper(hops, input), ...turnedRound(graph, from, to, maxDepth)].slice(0, 1);
  return {
    items: ways,
    limit: maxPaths,
    limits: { maxItems: maxPaths, maxDepth },
    ...(next.length > 0 && { next }),
    render: (shown) => ({
      connected: isConnected,
      shortestPath: isConnected ? hops : null,
      pathCount: ways.length,
      paths: shown.map((way) => ({
        nodes: way.map((file) => graph.files.path(file)),
        length: way.length - 1,
        ...(includeEdgeDetails && { edges: pathEdges(graph, way) }),
      })),
      ...(!isConnected && known),
    }),
  };
}
