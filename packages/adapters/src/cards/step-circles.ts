import type { PreparedCard } from "@waybill/core/cards";

/** A card that calls itself again, through its steps or its program. */
export interface StepCircle {
  readonly card: PreparedCard;
  /** The step or program that starts the cycle. */
  readonly pointer: string;
  /** The ids on the cycle. The card's own id is first and last. */
  readonly way: readonly string[];
}

type CardsById = ReadonlyMap<string, PreparedCard>;

/**
 * The ids that a card calls, each with its position. A step that calls its own card runs the
 * card's routes, if it has any.
 */
function listCalls(card: PreparedCard | undefined): { id: string; pointer: string }[] {
  const { steps, code } = card ?? {};
  const called = (steps?.calls ?? []).map(({ task }, index) => ({
    id: task,
    pointer: `/steps/${index}/task`,
  }));
  const others = steps?.when === undefined ? called : called.filter(({ id }) => id !== card?.id);
  return [...others, ...(code?.calls ?? []).map((id) => ({ id, pointer: "/code" }))];
}

/** The shortest path of calls from a task back to an id. */
function wayBack(cards: CardsById, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return wayTo(cameFrom, id);
    for (const { id: called } of listCalls(cards.get(id))) {
      if (!cameFrom.has(called)) cameFrom.set(called, id);
    }
  }
  return undefined;
}

function wayTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}

/** Finds cards that would call themselves through others. */
export function stepCircles(cards: readonly PreparedCard[]): StepCircle[] {
  const byId: CardsById = new Map(cards.map((card) => [card.id, card]));
  return cards.flatMap((card) => {
    for (const { id, pointer } of listCalls(card)) {
      const way = wayBack(byId, id, card.id);
      if (way !== undefined) return [{ card, pointer, way: [card.id, ...way] }];
    }
    return [];
  });
}
