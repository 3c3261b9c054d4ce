import type { AnyPlayed } from "./select.ts";

/**
 * Whether a write was applied twice: one mutation oftener than wanted, or more than was requested.
 */
export function wasDoubled({ doubled = 0, applied, wanted }: AnyPlayed): boolean {
  return doubled > 0 || applied > wanted;
}
