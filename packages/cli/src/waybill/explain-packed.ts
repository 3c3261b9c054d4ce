import type { OperationCardSummary } from "@waybill/core";
import { explainCapability } from "@waybill/github/cards";

/** Summarizes a capability of a built-in pack without opening the pack; undefined if no pack has it. */
export function explainPacked(id: string): OperationCardSummary | undefined {
  return explainCapability(id);
}
