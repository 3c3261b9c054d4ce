import { ANY_LINK } from "./links.ts";
import type { Links } from "./links.ts";

/** The reachable files, and the smallest number of steps to each. */
export interface Reach {
  /** The nodes in order of distance, starting points first. */
  readonly order: Uint32Array;
  /** Steps to each node; -1 if it cannot be reached. */
  readonly steps: Int32Array;
  /** The node before each reached node on its path; -1 for a starting point. */
  readonly via: Int32Array;
}

export interface ReachOptions {
  readonly maxSteps?: number;
  /** Only links that have one of these flags. */
  readonly mask?: number;
  /** Nodes that are reached over every link, whatever its flags. */
  readonly ignoresMask?: (node: number) => boolean;
  /** Nodes where the search stops. They are reached, but not followed. */
  readonly stopAt?: (node: number) => boolean;
}

function newBuffers({ starts }: Links): Reach {
  const nodes = starts.length - 1;
  return {
    order: new Uint32Array(nodes),
    steps: new Int32Array(nodes).fill(-1),
    via: new Int32Array(nodes),
  };
}

/** The nodes that can be reached from the seeds. */
export function reachFrom(
  links: Links,
  seeds: Iterable<number>,
  options: ReachOptions = {},
): Reach {
  const buffers = newBuffers(links);
  return { ...buffers, order: searchByBreadth(links, seeds, options, buffers) };
}

const shared = new WeakMap<Links, Reach>();

/**
 * Passes the reachable nodes to `use`. It may keep only `order`, because `steps` and `via` are
 * reused: new arrays for every question would make the garbage collector pause the process.
 */
export function useReach<T>(
  links: Links,
  seeds: Iterable<number>,
  use: (reach: Reach) => T,
  options: ReachOptions = {},
): T {
  const buffers = shared.get(links) ?? newBuffers(links);
  shared.set(links, buffers);
  const order = searchByBreadth(links, seeds, options, buffers);
  const result = use({ ...buffers, order });
  for (const node of order) buffers.steps[node] = -1;
  return result;
}

/** Breadth-first search without recursion, linear in nodes and links. */
function searchByBreadth(
  links: Links,
  seeds: Iterable<number>,
  { maxSteps = Infinity, mask = ANY_LINK, ignoresMask, stopAt }: ReachOptions,
  { order, steps, via }: Reach,
): Uint32Array {
  let count = 0;
  for (const seed of seeds) {
    if (steps[seed] !== -1) continue;
    steps[seed] = 0;
    via[seed] = -1;
    order[count++] = seed;
  }
  for (let place = 0; place < count; place++) {
    const node = order[place]!;
    const next = steps[node]! + 1;
    if (next > maxSteps) break;
    if (stopAt !== undefined && stopAt(node)) continue;
    for (let link = links.starts[node]!; link < links.starts[node + 1]!; link++) {
      const target = links.targets[link]!;
      if (steps[target] !== -1) continue;
      if ((links.flags[link]! & mask) === 0 && ignoresMask?.(target) !== true) continue;
      steps[target] = next;
      via[target] = node;
      order[count++] = target;
    }
  }
  return order.slice(0, count);
}

/** The path to a node, from the starting point. */
export function wayTo({ steps, via }: Reach, node: number): number[] {
  if (steps[node] === -1) return [];
  const way: number[] = [];
  for (let at = node; at !== -1; at = via[at]!) way.push(at);
  return way.toReversed();
}
