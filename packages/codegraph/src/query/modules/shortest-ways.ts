import type { Links } from "../../analysis/index.ts";

interface Partial {
  readonly node: number;
  readonly before: Partial | undefined;
  readonly length: number;
}

const MAX_EXPANDED = 20_000;

function getNodes(end: Partial): number[] {
  const nodes: number[] = [];
  for (let at: Partial | undefined = end; at !== undefined; at = at.before) nodes.push(at.node);
  return nodes.toReversed();
}

function holds(way: Partial, node: number): boolean {
  for (let at: Partial | undefined = way; at !== undefined; at = at.before) {
    if (at.node === node) return true;
  }
  return false;
}

/**
 * The shortest paths to the node from which `steps` was counted. `steps` gives the remaining
 * distance, so the search rarely leaves a shortest path. It ends early in a graph with too many
 * partial paths.
 */
export function shortestWays(
  links: Links,
  from: number,
  steps: Int32Array,
  maxWays: number,
  maxLength: number,
): number[][] {
  const found: number[][] = [];
  // One stack for each total length: the shortest first, the longest partial path on top.
  const byTotal: Partial[][] = [];
  const push = (way: Partial): void => {
    const total = way.length + steps[way.node]!;
    if (total <= maxLength) (byTotal[total] ??= []).push(way);
  };
  push({ node: from, before: undefined, length: 0 });
  let expanded = 0;
  for (let total = 0; total <= maxLength && found.length < maxWays; total++) {
    for (let way = byTotal[total]?.pop(); way !== undefined; way = byTotal[total]?.pop()) {
      if (steps[way.node] === 0) {
        found.push(getNodes(way));
        if (found.length >= maxWays) return found;
        continue;
      }
      if (++expanded > MAX_EXPANDED) return found;
      for (let link = links.starts[way.node + 1]! - 1; link >= links.starts[way.node]!; link--) {
        const node = links.targets[link]!;
        if (steps[node] === -1 || holds(way, node)) continue;
        push({ node, before: way, length: way.length + 1 });
      }
    }
  }
  return found;
}
