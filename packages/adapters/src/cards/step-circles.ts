import type { PreparedCard } from "@waybill/core/cards";

/** A card whose steps lead back to it. */
export interface StepCircle {
  readonly card: PreparedCard;
  /** Which of its steps leads there. */
  readonly step: number;
  /** The ids on the way, the card's own first and last. */
  readonly way: readonly string[];
}

type CardsById = ReadonlyMap<string, PreparedCard>;

/** A step that calls its own card is done by the routes of it, if there are some. */
function tasksOf(card: PreparedCard | undefined): string[] {
  const tasks = card?.steps?.calls.map(({ task }) => task) ?? [];
  return card?.steps?.when === undefined ? tasks : tasks.filter((task) => task !== card.id);
}

/** The shortest way from a task back to an id, through the steps of known cards. */
function wayBack(cards: CardsById, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return wayTo(cameFrom, id);
    for (const task of tasksOf(cards.get(id))) if (!cameFrom.has(task)) cameFrom.set(task, id);
  }
  return undefined;
}

function wayTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}

/** Cards that would call themselves through the steps of others. */
export function stepCircles(cards: readonly PreparedCard[]): StepCircle[] {
  const byId: CardsById = new Map(cards.map((card) => [card.id, card]));
  return cards.flatMap((card) => {
    for (const [step, { task }] of (card.steps?.calls ?? []).entries()) {
      if (!tasksOf(card).includes(task)) continue;
      const way = wayBack(byId, task, card.id);
      if (way !== undefined) return [{ card, step, way: [card.id, ...way] }];
    }
    return [];
  });
}
