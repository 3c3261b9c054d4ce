import { compareCards, compareEnvelopes } from "./compare-contracts.ts";
import { contractsAt, contractsNow, lastRelease } from "./contracts.ts";
import { driftLines, firstLines } from "./drift-text.ts";

export interface DriftOptions {
  /** A tag, branch or commit (default: the last release). */
  readonly since?: string | undefined;
}

/** Describes in Markdown how the schemas of cards and envelopes changed since the last release. */
export function driftSection(root: string, { since }: DriftOptions = {}): string {
  const revision = since ?? lastRelease(root);
  const now = contractsNow(root);
  if (revision === undefined) return firstLines(now.cards.size, now.envelopes.size).join("\n");
  const then = contractsAt(root, revision);
  return [
    `Since ${revision}. A change breaks callers if they may send less than before, or must read values that they do not know. A new member of an answer breaks nothing.`,
    "",
    ...driftLines("Cards", compareCards(then, now)),
    "",
    ...driftLines("Envelopes and the form of cards", compareEnvelopes(then, now)),
  ]
    .join("\n")
    .trimEnd();
}
