import { ANY_LINK } from "./links.ts";
import type { Links } from "./links.ts";

/** The reachable files, and the smallest number of steps to each. */
export interface Reach {
  /** In order of distance, starting points first. */
  readonly order: Uint32Array;
  /** Steps to each node; -1 if it cannot be reached. */
  readonly steps: Int32Array;
  /** The node before each node on its path; -1 for a starting point. */
  readonly via: Int32Array;
}

export interface ReachOptions {
  readonly maxSteps?: number;
  /** Only links that have one of these flags. */
  readonly mask?: number;
  /** Nodes where the search stops. They are reached, but not followed. */
  readonly stopAt?: (node: number) => boolean;
}

/** Breadth-first search without recursion, linear in nodes and links. */
export function reachFrom(
  links: Links,
  seeds: Iterable<number>,
  options: ReachOptions = {},
): Reach {
  const { maxSteps = Infinity, mask = ANY_LINK, stopAt } = options;
  const nodes = links.starts.length - 1;
  const steps = new Int32Array(nodes).fill(-1);
  const via = new Int32Array(nodes).fill(-1);
  const order = new Uint32Array(nodes);
  let count = 0;
  for (const seed of seeds) {
    if (steps[seed] !== -1) continue;
    steps[seed] = 0;
    order[count++] = seed;
  }
  for (let place = 0; place < count; place++) {
    const node = order[place]!;
    const next = steps[node]! + 1;
    if (next > maxSteps) break;
    if (stopAt !== undefined && stopAt(node)) continue;
    for (let link = links.starts[node]!; link < links.starts[node + 1]!; link++) {
      const target = links.targets[link]!;
      if (steps[target] !== -1 || (links.flags[link]! & mask) === 0) continue;
      steps[target] = next;
      via[target] = node;
      order[count++] = target;
    }
  }
  return { order: order.slice(0, count), steps, via };
}

/** The path to a node, from the starting point. */
export function wayTo({ steps, via }: Reach, node: number): number[] {
  if (steps[node] === -1) return [];
  const way: number[] = [];
  for (let at = node; at !== -1; at = via[at]!) way.push(at);
  return way.toReversed();
}
