import { cardSpec, explainCard } from "@waybill/core/cards";
import type { OperationCardSummary, OperationSpec } from "@waybill/core";
import type { PreparedCard } from "@waybill/core/cards";
import { cards } from "./cards.ts";
import { namedOutput } from "./same-names.ts";

function withInputNames(card: PreparedCard): PreparedCard {
  return { ...card, outputSchema: namedOutput(card.outputSchema) };
}

/**
 * Explains a capability of the pack without a connection to GitHub; undefined for an unknown id.
 */
export function explainCapability(id: string): OperationCardSummary | undefined {
  const card = cards.cardById(id);
  return card === undefined ? undefined : explainCard(withInputNames(card), "github");
}

/** The full description of every capability of the pack, without a connection to GitHub. */
export function packSpecs(): readonly OperationSpec[] {
  return cards.summaries.map(({ id }) => cardSpec(withInputNames(cards.cardById(id)!)));
}
