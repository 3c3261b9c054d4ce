import type { OperationCardSummary } from "@waybill/core";

type Explain = (id: string) => Promise<OperationCardSummary | undefined>;

/** The packs that can explain a capability without being opened. */
const PACKED: readonly Explain[] = [
  async (id) => (await import(/* part: explain */ "@waybill/github/cards")).explainCapability(id),
];

/** Summarizes a capability of a pack without opening the pack; undefined if no pack can. */
export async function explainPacked(id: string): Promise<OperationCardSummary | undefined> {
  for (const explain of PACKED) {
    const summary = await explain(id);
    if (summary !== undefined) return summary;
  }
  return undefined;
}
