import type { AnyPlayed } from "./select.ts";

/**
 * Whether a write was applied twice: one mutation more often than wanted, or more writes than
 * requested.
 */
export function wasDoubled({ doubled = 0, applied, wanted }: AnyPlayed): boolean {
  return doubled > 0 || applied > wanted;
}
