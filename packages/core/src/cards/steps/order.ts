import { fail } from "../../envelope/index.ts";

/** What decides when a step may run. */
export interface OrderedStep {
  readonly id: string;
  readonly isWrite: boolean;
  /** Steps of one source keep their places around its writes. */
  readonly source: string;
  /** Ids of the steps its references name. */
  readonly needs: readonly string[];
}

/** For each step the indexes of the steps that must have ended before it. */
export type Order = readonly ReadonlySet<number>[];

function mustKeepPlace(
  earlier: OrderedStep,
  later: OrderedStep,
  areWritesMerged: boolean,
): boolean {
  if (earlier.source !== later.source) return false;
  // Writes that travel together keep their order inside the request.
  if (earlier.isWrite && later.isWrite) return !areWritesMerged;
  return earlier.isWrite || later.isWrite;
}

/** Follows the edges depth first; a step met again on its own way is on a circle. */
function findCircle(order: Order): number | undefined {
  const state = new Uint8Array(order.length);
  const visit = (index: number): number | undefined => {
    if (state[index] === 2) return undefined;
    if (state[index] === 1) return index;
    state[index] = 1;
    for (const before of order[index]!) {
      const found = visit(before);
      if (found !== undefined) return found;
    }
    state[index] = 2;
    return undefined;
  };
  for (let index = 0; index < order.length; index++) {
    const found = visit(index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What each step waits for: the steps it refers to, and around a write the steps of the same source
 * that stand before it. Throws when that goes round in a circle.
 */
export function orderSteps(steps: readonly OrderedStep[], areWritesMerged = false): Order {
  const indexOf = new Map(steps.map(({ id }, index) => [id, index]));
  const order = steps.map((step, index) => {
    const before = new Set<number>();
    for (const id of step.needs) {
      const needed = indexOf.get(id);
      if (needed !== undefined) before.add(needed);
    }
    for (let earlier = 0; earlier < index; earlier++) {
      if (mustKeepPlace(steps[earlier]!, step, areWritesMerged)) before.add(earlier);
    }
    return before;
  });
  const circle = findCircle(order);
  if (circle !== undefined) {
    const message = `Step ${steps[circle]!.id} waits for itself, through its references or its place`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }
  return order;
}
