import type { AnyPlayed } from "./select.ts";
import { SESSION } from "./session.ts";
import { mean } from "./statistics.ts";

/**
 * Every call reads the current context: the start text, and on average half of what the session's
 * ten operations add.
 */
export function contextRead(plays: readonly AnyPlayed[]): number {
  const start = mean(plays.map(({ tokens }) => tokens.definitions));
  const added = mean(plays.map(({ tokens }) => tokens.total - tokens.definitions / SESSION));
  const calls = mean(plays.map(({ sessionCalls }) => sessionCalls));
  return calls * (start + (SESSION * added) / 2);
}
