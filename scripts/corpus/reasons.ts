import type { Comparison } from "./compare.ts";

export const UNEXPLAINED = "not explained";

export function reasonFor(_comparison: Comparison): string {
  return UNEXPLAINED;
}
