import { estimateTokens } from "@waybill/core/protocol";
import { expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { RESERVE, fitAnswer } from "./fit.ts";
import type { Page } from "./fit.ts";

const frame = ({ result }: Page): string => JSON.stringify(result);

/** Creates items of these lengths. */
function answerWith(lengths: readonly number[]): Answer {
  const items = lengths.map((length, at) => `${at}${" word".repeat(length)}`);
  return { items, limit: items.length, render: (shown) => ({ shown }) };
}

it.each([
  ["of one size", Array.from({ length: 90 }, () => 5)],
  ["that grow", Array.from({ length: 90 }, (_, at) => at)],
  ["that shrink", Array.from({ length: 90 }, (_, at) => 90 - at)],
  ["with a long first item", [150, ...Array.from({ length: 60 }, () => 2)]],
  ["with a long last item", [...Array.from({ length: 60 }, () => 2), 900]],
])("an answer shows as many list items as fit the token limit, for items %s", (_title, lengths) => {
  const answer = answerWith(lengths);
  const cost = (count: number): number =>
    estimateTokens(JSON.stringify(answer.render(answer.items.slice(0, count), 0))) + RESERVE;
  for (const budget of [220, 400, 700, 1_100]) {
    const { end } = fitAnswer(answer, 0, budget, frame);
    const most = lengths.findIndex((__, at) => cost(at + 1) > budget);
    // One item is shown even if it must be shortened.
    expect(end).toBe(most === -1 ? lengths.length : Math.max(1, most));
  }
});
