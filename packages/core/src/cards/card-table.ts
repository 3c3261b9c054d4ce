import type { OperationSummary } from "../operation/index.ts";
import type { PreparedCard } from "./prepared.ts";

/** Many cards, of which each is parsed when it is first wanted. */
export interface CardTable {
  readonly summaries: readonly OperationSummary[];
  cardById(id: string): PreparedCard | undefined;
}

/** Cards as a generated module holds them: summaries for lists, the rest as text. */
export function cardTable(
  summaries: readonly OperationSummary[],
  texts: Readonly<Record<string, string>>,
): CardTable {
  const parsed = new Map<string, PreparedCard>();
  return {
    summaries,
    cardById(id) {
      const known = parsed.get(id);
      if (known !== undefined || !Object.hasOwn(texts, id)) return known;
      const card = JSON.parse(texts[id]!) as PreparedCard;
      parsed.set(id, card);
      return card;
    },
  };
}
