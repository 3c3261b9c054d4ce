import { APART } from "./links.ts";
import type { Links } from "./links.ts";

const MAX_TRIES = 8;

/**
 * A short cycle in a component: the shortest one through its first members. The work is bounded by
 * the component's links times the members tried.
 */
export function shortCircle(
  links: Links,
  members: readonly number[],
  mask: number = APART,
): number[] {
  const inside = new Set(members);
  let best: number[] = [];
  for (const start of members.slice(0, MAX_TRIES)) {
    const circle = circleThrough(links, start, inside, mask);
    if (best.length === 0 || circle.length < best.length) best = circle;
    if (best.length === 2) break;
  }
  return best;
}

/** The shortest cycle through a member that stays in the component. */
function circleThrough(
  links: Links,
  start: number,
  inside: ReadonlySet<number>,
  mask: number = APART,
): number[] {
  const via = new Map<number, number>();
  const queue = [start];
  for (let place = 0; place < queue.length; place++) {
    const node = queue[place]!;
    for (let link = links.starts[node]!; link < links.starts[node + 1]!; link++) {
      const target = links.targets[link]!;
      if ((links.flags[link]! & mask) === 0 || !inside.has(target)) continue;
      if (target === start) return backFrom(node, start, via);
      if (via.has(target)) continue;
      via.set(target, node);
      queue.push(target);
    }
  }
  return [];
}

function backFrom(node: number, start: number, via: ReadonlyMap<number, number>): number[] {
  const circle = [node];
  for (let at = node; at !== start; circle.push(at)) at = via.get(at)!;
  return circle.toReversed();
}
