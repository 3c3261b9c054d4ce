import { fail } from "../../envelope/index.ts";

/** Properties of a step that decide when it may run. */
export interface OrderedStep {
  readonly id: string;
  readonly isWrite: boolean;
  /** The source of the step. Steps of one source keep their order before and after its writes. */
  readonly source: string;
  /**
   * Whether the step is a write that can be sent in one request with other writes of its source.
   */
  readonly isMergeable?: boolean;
  /** Writes with the same key wait for each other. */
  readonly key?: string | undefined;
  /** Ids of the steps that it refers to. */
  readonly needs: readonly string[];
}

/** For each step, the indexes of the steps that must end first. */
export type Order = readonly ReadonlySet<number>[];
type Before = readonly Set<number>[];

function mustKeepOrder(earlier: OrderedStep, later: OrderedStep): boolean {
  return earlier.source === later.source && (earlier.isWrite || later.isWrite);
}

function mayTravelTogether(earlier: OrderedStep, later: OrderedStep): boolean {
  const isOneKey = earlier.key !== undefined && earlier.key === later.key;
  return earlier.isMergeable === true && later.isMergeable === true && !isOneKey;
}

/** Adds the references between the steps, in both directions. */
function getNeeds(steps: readonly OrderedStep[]): Set<number>[] {
  const indexOf = new Map(steps.map(({ id }, index) => [id, index]));
  return steps.map(({ needs }) => {
    const known = needs.map((id) => indexOf.get(id));
    return new Set(known.filter((index) => index !== undefined));
  });
}

/**
 * Before and after a write, the steps of its source keep their order. A write that can be merged
 * with an earlier one does not wait for its end, only until the earlier one is ready.
 */
function addPlaces(before: Before, steps: readonly OrderedStep[]): void {
  steps.forEach((step, index) => {
    for (let earlier = 0; earlier < index; earlier++) {
      const other = steps[earlier]!;
      if (!mustKeepOrder(other, step)) continue;
      const together = mayTravelTogether(other, step);
      for (const one of together ? before[earlier]! : [earlier]) before[index]!.add(one);
    }
  });
}

/** Whether one step waits for another, directly or through other steps. */
function waitsFor(before: Before, one: number, other: number): boolean {
  const seen = new Set([one]);
  for (const index of seen) for (const next of before[index]!) seen.add(next);
  return seen.has(other);
}

/** If errors stop the chain, a write waits for every earlier step that does not depend on it. */
function addStops(before: Before, steps: readonly OrderedStep[]): void {
  // If all references point to earlier steps, as usual, an earlier step never waits for a later
  // one, so the slow check is skipped.
  const pointsOn = before.some((set, index) => [...set].some((other) => other >= index));
  steps.forEach(({ isWrite }, index) => {
    if (!isWrite) return;
    for (let earlier = 0; earlier < index; earlier++) {
      if (!pointsOn || !waitsFor(before, earlier, index)) before[index]!.add(earlier);
    }
  });
}

/** A depth-first search. If it reaches a step again from itself, the step is on a cycle. */
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
 * The steps that each step waits for: the steps that it refers to and, before and after a write,
 * earlier steps of the same source. If a failure stops the rest, it waits for all earlier steps.
 * Throws for a cycle.
 */
export function orderSteps(steps: readonly OrderedStep[], stopsOnError = false): Order {
  const before = getNeeds(steps);
  addPlaces(before, steps);
  if (stopsOnError) addStops(before, steps);
  const circle = findCircle(before);
  if (circle !== undefined) {
    const message = `Step ${steps[circle]!.id} depends on itself, through references or because writes keep their order. Remove a reference, or move the step`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }
  return before;
}
