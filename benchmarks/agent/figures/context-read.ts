import type { AnyPlayed } from "./select.ts";
import { TEN } from "./session-sizes.ts";
import type { SessionSize } from "./session-sizes.ts";
import { mean } from "./statistics.ts";

/**
 * Every call reads the current context: the start text, and on average half of what the session's
 * operations add.
 */
export function contextRead(
  plays: readonly AnyPlayed[],
  { size, tokens: tokensOf, calls: callsOf }: SessionSize = TEN,
): number {
  const start = mean(plays.map(({ tokens }) => tokens.definitions));
  const added = mean(plays.map((play) => tokensOf(play) - play.tokens.definitions / size));
  return mean(plays.map(callsOf)) * (start + (size * added) / 2);
}
