import { contextRead } from "./context-read.ts";
import type { AnyPlayed } from "./select.ts";
import { TEN } from "./session-sizes.ts";
import type { SessionSize } from "./session-sizes.ts";
import { mean } from "./statistics.ts";

/** The price of a token relative to one that is read without a cache. */
export const PRICES = { sent: 5, read: 1.25, cached: 0.1 } as const;

/**
 * The price of one operation in a session: tokens that are written, read, and read again from the
 * cache.
 */
export function meanPrice(plays: readonly AnyPlayed[], session: SessionSize = TEN): number {
  const sent = mean(plays.map(({ tokens }) => tokens.sent));
  const read = mean(plays.map(session.tokens)) - sent;
  return PRICES.sent * sent + PRICES.read * read + PRICES.cached * contextRead(plays, session);
}

/** Seconds of one turn of a model: published runs of five ways to use GitHub took 151.8 in 27 turns. */
export const SECONDS_OF_A_TURN = 5.6;

/** The seconds that an operation takes, by its turns. */
export function meanSeconds(plays: readonly AnyPlayed[], session: SessionSize = TEN): number {
  return SECONDS_OF_A_TURN * mean(plays.map(session.calls));
}
