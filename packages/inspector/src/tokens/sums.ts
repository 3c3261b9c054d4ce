import type { CapabilityTotals, TotalsAnswer } from "@waybill/server";

export interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly out: number;
  readonly raw: number;
}

export function getSums({ buckets }: Pick<TotalsAnswer, "buckets">): Sums {
  const sums = { calls: 0, errors: 0, out: 0, raw: 0 };
  for (const { calls, errors, tokens_out, tokens_raw } of buckets) {
    sums.calls += calls;
    sums.errors += errors;
    sums.out += tokens_out;
    sums.raw += tokens_raw;
  }
  return sums;
}

/** The saved tokens; 0 if the size without reduction is unknown. */
export function getSaved({ out, raw }: Pick<Sums, "out" | "raw">): number {
  return Math.max(0, raw - out);
}

/** Sorts by tokens, the largest first. */
export function byTokens(capabilities: readonly CapabilityTotals[]): CapabilityTotals[] {
  return capabilities.toSorted(
    (a, b) => b.tokens_out - a.tokens_out || a.capability_id.localeCompare(b.capability_id),
  );
}

export const RANGES = {
  hour: { title: "Hour", ms: 3_600_000 },
  day: { title: "Day", ms: 86_400_000 },
  week: { title: "Week", ms: 7 * 86_400_000 },
  all: { title: "All", ms: undefined },
} as const;

export type Range = keyof typeof RANGES;

export function isRange(name: string | null): name is Range {
  return name !== null && Object.hasOwn(RANGES, name);
}

/** Rounds times down, so that the same request is sent for a while and can be cached. */
const ROUND_MS = 10_000;

export function totalsPath(range: Range, now: number, buckets: number): string {
  const query = new URLSearchParams({ buckets: String(buckets) });
  const { ms } = RANGES[range];
  if (ms !== undefined) query.set("since", String(Math.floor((now - ms) / ROUND_MS) * ROUND_MS));
  return `/v1/inspect/totals?${query.toString()}`;
}
