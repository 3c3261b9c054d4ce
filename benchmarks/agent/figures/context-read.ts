import type { AnyPlayed } from "./select.ts";
import { TEN } from "./session-sizes.ts";
import type { SessionSize } from "./session-sizes.ts";
import { mean } from "./statistics.ts";

/**
 * The tokens of context that a call reads: the start text, and on average half of what the
 * operations of the session add.
 */
export function contextRead(
  plays: readonly AnyPlayed[],
  { size, tokens: tokensOf, calls: callsOf }: SessionSize = TEN,
): number {
  const start = mean(plays.map(({ tokens }) => tokens.definitions));
  const added = mean(plays.map((play) => tokensOf(play) - play.tokens.definitions / size));
  return mean(plays.map(callsOf)) * (start + (size * added) / 2);
}
