import type { PreparedCall } from "./prepared-call.ts";

function isDestructive({ spec }: PreparedCall): boolean {
  return spec.effect === "destructive";
}

/**
 * Splits the calls of a turn into groups that are sent one after the other. A plain write after a
 * destructive one goes into a later group, because nothing after the destructive one may be sent if
 * it needs an approval.
 */
export function splitSegments(calls: readonly PreparedCall[]): PreparedCall[][] {
  const segments: PreparedCall[][] = [];
  let current: PreparedCall[] = [];
  for (const call of calls) {
    if (call.spec.effect === "write" && current.some(isDestructive)) {
      segments.push(current);
      current = [];
    }
    current.push(call);
  }
  if (current.length > 0) segments.push(current);
  return segments;
}
