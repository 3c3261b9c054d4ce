import { cardSpec, explainCard } from "@waybill/core/cards";
import type { OperationCardSummary, OperationSpec } from "@waybill/core";
import type { PreparedCard } from "@waybill/core/cards";
import { cards } from "./cards.ts";
import { namedOutput } from "./same-names.ts";

function withInputNames(card: PreparedCard): PreparedCard {
  return { ...card, outputSchema: namedOutput(card.outputSchema) };
}

/** How a capability of the pack is called, without a GitHub; undefined when it is none of the pack's. */
export function explainCapability(id: string): OperationCardSummary | undefined {
  const card = cards.cardById(id);
  return card === undefined ? undefined : explainCard(withInputNames(card), "github");
}

/** All there is to know of every capability of the pack, without a GitHub. */
export function packSpecs(): readonly OperationSpec[] {
  return cards.summaries.map(({ id }) => cardSpec(withInputNames(cards.cardById(id)!)));
}
