import { fail } from "@waybill/core";
import type { HttpLimits } from "./options.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MAX_CALLERS = 10_000;

/** How many requests each caller has left; whoever pauses gets them back, up to the burst. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #limits: Pick<HttpLimits, "perSecond" | "burst">;
  readonly #now: () => number;

  constructor(limits: Pick<HttpLimits, "perSecond" | "burst">, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts a request; throws when the caller has none left. */
  take(caller: string): void {
    const bucket = this.#buckets.get(caller) ?? this.#open(caller, this.#now());
    this.#assertLeft(bucket);
    bucket.tokens -= 1;
  }

  /** Throws when the caller has none left, and counts nothing. */
  assertLeft(caller: string): void {
    const bucket = this.#buckets.get(caller);
    if (bucket !== undefined) this.#assertLeft(bucket);
  }

  #assertLeft(bucket: Bucket): void {
    const { perSecond, burst } = this.#limits;
    const now = this.#now();
    const gained = ((now - bucket.filledAt) / 1_000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + gained);
    bucket.filledAt = now;
    if (bucket.tokens >= 1) return;
    const retry_after_ms = Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
    throw fail("RATE_LIMIT", `More than ${perSecond} requests in a second`, { retry_after_ms });
  }

  /** The one that came first goes first: by now it has all its requests back, or is one of too many. */
  #open(caller: string, now: number): Bucket {
    const [first] = this.#buckets.keys();
    if (this.#buckets.size >= MAX_CALLERS && first !== undefined) this.#buckets.delete(first);
    const bucket = { tokens: this.#limits.burst, filledAt: now };
    this.#buckets.set(caller, bucket);
    return bucket;
  }
}
