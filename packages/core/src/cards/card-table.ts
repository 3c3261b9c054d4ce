import type { OperationSummary } from "../operation/index.ts";
import type { PreparedCard } from "./prepared.ts";

/** Many cards. Each is parsed when it is first used. */
export interface CardTable {
  /** A one-line summary of every card. */
  readonly summaries: readonly OperationSummary[];
  /** The card with this id, if there is one. */
  cardById(id: string): PreparedCard | undefined;
}

/** The text of each card by id: an object, or a function that reads it. */
export type CardTexts = Readonly<Record<string, string>> | ((id: string) => string | undefined);

/** A table of generated cards: summaries for lists, the rest as text. */
export function cardTable(summaries: readonly OperationSummary[], texts: CardTexts): CardTable {
  const parsed = new Map<string, PreparedCard>();
  const textOf =
    typeof texts === "function"
      ? texts
      : (id: string) => (Object.hasOwn(texts, id) ? texts[id] : undefined);
  return {
    summaries,
    cardById(id) {
      const known = parsed.get(id);
      const text = known === undefined ? textOf(id) : undefined;
      if (text === undefined) return known;
      const card = JSON.parse(text) as PreparedCard;
      parsed.set(id, card);
      return card;
    },
  };
}
