import type { CallErrorDetails } from "../envelope/index.ts";

export interface RetryPolicy {
  /** Maximum number of attempts on one route, including the first. */
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** Maximum total waiting time of one call, in milliseconds. */
  readonly maxWaitMs: number;
  /** Returns a random number from 0 up to, but not including, 1. */
  readonly random: () => number;
}

export const DEFAULT_RETRY: RetryPolicy = Object.freeze({
  maxAttempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
  maxWaitMs: 30_000,
  random: Math.random,
});

/**
 * How long to wait before the next attempt: the time that the upstream asked for, or a random
 * time below an exponentially growing limit. The random time keeps many callers from retrying
 * together.
 */
export function retryDelay(
  policy: RetryPolicy,
  failures: number,
  details: CallErrorDetails,
): number {
  if (details.retry_after_ms !== undefined) return Math.max(0, details.retry_after_ms);
  const bound = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failures - 1));
  return policy.random() * bound;
}

/** Waits, or gives up immediately when the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
