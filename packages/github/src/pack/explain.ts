import { explainCard } from "@waybill/core";
import type { OperationCardSummary } from "@waybill/core";
import { cards } from "./cards.ts";

/** How a capability of the pack is called, without a GitHub; undefined when it is none of the pack's. */
export function explainCapability(id: string): OperationCardSummary | undefined {
  const card = cards.cardById(id);
  return card === undefined ? undefined : explainCard(card);
}
