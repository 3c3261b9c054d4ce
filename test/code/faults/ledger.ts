import { createWaybill, defineOperation, fail } from "@waybill/core";
import type { Journal, Waybill } from "@waybill/core";

/** A fault that happens to a write. */
export type Cut = "none" | "before" | "after" | "stop-before" | "stop-after";

const INPUT = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
} as const;

/** Records every applied write, and how often it was applied. */
export class Ledger {
  readonly applied = new Map<string, number>();
  /** Chooses the fault of the next write. */
  nextCut: () => Cut = () => "none";
  /** Cancels the current run. */
  stop: () => void = () => {};

  apply(text: string): void {
    this.applied.set(text, (this.applied.get(text) ?? 0) + 1);
  }

  /** The writes of one run. */
  of(run: string): readonly (readonly [text: string, times: number])[] {
    return [...this.applied].filter(([text]) => text.startsWith(`${run}/`));
  }

  #write(text: string): void {
    const cut = this.nextCut();
    if (cut === "stop-before") this.stop();
    if (cut === "before") throw fail("NETWORK", "Not sent", { outcome: "not_applied" });
    this.apply(text);
    if (cut === "stop-after") this.stop();
    if (cut === "after") throw fail("NETWORK", "The response was lost", { outcome: "unknown" });
  }

  waybill(journal: Journal): Waybill {
    const note = defineOperation({
      id: "note.write",
      description: "Write a note",
      effect: "write",
      input: INPUT,
      output: INPUT,
      handler: async ({ text }) => {
        await Promise.resolve();
        this.#write(text);
        return { text };
      },
    });
    const read = defineOperation({
      id: "note.read",
      description: "Read a note",
      effect: "read",
      input: INPUT,
      output: INPUT,
      handler: ({ text }) => ({ text }),
    });
    return createWaybill({ operations: [note, read], journal });
  }
}
