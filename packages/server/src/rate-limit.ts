import { fail } from "@waybill/core";

/** The limits of one caller. */
export interface CallerLimits {
  /** Average number of requests per second. */
  readonly perSecond: number;
  /** Number of requests that may come at once after a pause. */
  readonly burst: number;
  /** Number of requests that may wait for an answer at the same time. */
  readonly concurrent: number;
}

type Rate = Pick<CallerLimits, "perSecond" | "burst">;

interface Bucket {
  readonly rate: Rate;
  tokens: number;
  filledAt: number;
}

const MAX_CALLERS = 10_000;

/**
 * Limits how often each caller may send requests. The number that a caller has left grows again
 * over time, up to the burst.
 */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #rate: Rate;
  readonly #now: () => number;

  constructor(rate: Rate, now = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /**
   * Counts a request. Throws if the caller has no requests left. `own` overrides the server's
   * rate.
   */
  take(caller: string, own?: Partial<Rate>): void {
    const bucket = this.#buckets.get(caller) ?? this.#open(caller, { ...this.#rate, ...own });
    this.#assertLeft(bucket);
    bucket.tokens -= 1;
  }

  /** Throws if the caller has no requests left, but does not count a request. */
  assertLeft(caller: string): void {
    const bucket = this.#buckets.get(caller);
    if (bucket !== undefined) this.#assertLeft(bucket);
  }

  #assertLeft(bucket: Bucket): void {
    const { perSecond, burst } = bucket.rate;
    const now = this.#now();
    const gained = ((now - bucket.filledAt) / 1_000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + gained);
    bucket.filledAt = now;
    if (bucket.tokens >= 1) return;
    const retry_after_ms = Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
    throw fail(
      "RATE_LIMIT",
      `This caller may send at most ${perSecond} requests per second. Wait and try again`,
      { retry_after_ms },
    );
  }

  /**
   * Removes the oldest caller if there are too many, because it probably has all its requests
   * back by now.
   */
  #open(caller: string, rate: Rate): Bucket {
    const [first] = this.#buckets.keys();
    if (this.#buckets.size >= MAX_CALLERS && first !== undefined) this.#buckets.delete(first);
    const bucket = { rate, tokens: rate.burst, filledAt: this.#now() };
    this.#buckets.set(caller, bucket);
    return bucket;
  }
}

/** Counts the unanswered requests of each caller. */
export class Concurrency {
  readonly #counts = new Map<string, number>();

  /** Counts a request until the returned function is called. Throws if there are too many. */
  enter(caller: string, concurrent: number): () => void {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= concurrent) {
      const message = `This caller may have at most ${concurrent} running requests. Wait until one has ended`;
      throw fail("RATE_LIMIT", message, { retry_after_ms: 1_000 });
    }
    this.#counts.set(caller, count + 1);
    return () => this.#leave(caller);
  }

  #leave(caller: string): void {
    const count = (this.#counts.get(caller) ?? 1) - 1;
    if (count > 0) this.#counts.set(caller, count);
    else this.#counts.delete(caller);
  }
}
