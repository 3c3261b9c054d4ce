import type { Text, Tokens, Turn } from "../types.ts";
import { SESSION, SHORT_SESSION } from "./session.ts";
import { sum } from "./statistics.ts";

interface Counted {
  readonly definitions: readonly Text[];
  readonly turns: readonly Turn[];
}

function tokensIn(texts: readonly Text[]): number {
  return sum(texts.map(({ tokens }) => tokens));
}

/** The tokens of one play alone, in which everything is looked up again. */
export function countTokens({ definitions, turns }: Counted): Tokens {
  const start = tokensIn(definitions);
  const sent = tokensIn(turns.map(({ send }) => send));
  const read = tokensIn(turns.map((turn) => turn.read));
  const anew = sent + read + start / SESSION;
  const single = sent + read + start;
  const three = sent + read + start / SHORT_SESSION;
  return { definitions: start, sent, read, total: anew, anew, three, single };
}

/** The number of tool calls. Requests that are sent together count as one. */
export function countCalls(turns: readonly Turn[]): number {
  return turns.filter(({ joined }) => joined !== true).length;
}
