import { contextRead } from "./context-read.ts";
import type { AnyPlayed } from "./select.ts";
import { mean } from "./statistics.ts";

/** The price of a token relative to one that is read without a cache. */
export const PRICES = { sent: 5, read: 1.25, cached: 0.1 } as const;

/**
 * The price of one operation in a session of ten: tokens that are written, read, and read again
 * from the cache.
 */
export function meanPrice(plays: readonly AnyPlayed[]): number {
  const sent = mean(plays.map(({ tokens }) => tokens.sent));
  const read = mean(plays.map(({ tokens }) => tokens.total)) - sent;
  return PRICES.sent * sent + PRICES.read * read + PRICES.cached * contextRead(plays);
}
