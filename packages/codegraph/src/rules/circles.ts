import type { CodeGraph } from "../graph/index.ts";
import { allComponents, linksOut, perGraph, reachFrom, wayTo } from "../analysis/index.ts";

const MAX_KEPT = 5_000;
const kept: (graph: CodeGraph) => Map<string, readonly number[]> = perGraph(() => new Map());

/** Whether the two files import each other in a cycle. */
export function isCircular(graph: CodeGraph, from: number, to: number): boolean {
  const { of } = allComponents(graph);
  return from === to || of[from] === of[to];
}

/** The shortest cycle with this import, from its target back to its file. */
export function getCircle(graph: CodeGraph, from: number, to: number): readonly number[] {
  const key = `${from} ${to}`;
  const known = kept(graph).get(key);
  if (known !== undefined) return known;
  const { of } = allComponents(graph);
  const outside = (node: number): boolean => of[node] !== of[from];
  const circle = wayTo(reachFrom(linksOut(graph), [to], { stopAt: outside }), from);
  if (kept(graph).size >= MAX_KEPT) kept(graph).clear();
  kept(graph).set(key, circle);
  return circle;
}
