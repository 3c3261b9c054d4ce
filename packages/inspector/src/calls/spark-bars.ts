import type { TotalsBucket } from "@waybill/server";

/** The heights of one bar, as fractions of the highest bar. */
export interface SparkBar {
  readonly height: number;
  /** The height of the failed part. */
  readonly failed: number;
}

type Counted = Pick<TotalsBucket, "calls" | "errors">;

export function sparkBars(buckets: readonly Counted[]): SparkBar[] {
  const most = Math.max(1, ...buckets.map(({ calls }) => calls));
  return buckets.map(({ calls, errors }) => ({ height: calls / most, failed: errors / most }));
}
