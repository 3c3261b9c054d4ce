import type { OperationCardSummary } from "@waybill/core";
import { explainCapability } from "@waybill/github/cards";

/** What a built-in pack says of its own capability, without opening it; undefined if none has it. */
export function explainPacked(id: string): OperationCardSummary | undefined {
  return explainCapability(id);
}
