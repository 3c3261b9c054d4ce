import { CallError } from "../envelope/index.ts";
import type { AbortNode } from "./abort-node.ts";

const MAX_DELAY = 2_147_483_647;
/** The maximum number of empty buckets to keep. Keeping them is cheaper than creating new ones. */
const FEW_BUCKETS = 1_024;

interface Timer {
  ref?(): unknown;
  unref?(): unknown;
}

/**
 * A call that waits for its deadline, linked with the other calls that end in the same
 * millisecond.
 */
export interface DeadlineEntry {
  readonly deadline: number;
  readonly node: AbortNode;
  previous: DeadlineEntry | Bucket;
  next: DeadlineEntry | undefined;
  isWaiting: boolean;
}

interface Bucket {
  next: DeadlineEntry | undefined;
}

export function deadlineError(): CallError {
  return new CallError(
    "TIMEOUT",
    "The deadline passed before the call ended; to allow more time, pass a longer deadline",
  );
}

/**
 * Handles all deadlines of the process with one timer, because a timer per call costs more than
 * the call. A call enters and leaves a list, and the timer changes only if an earlier deadline
 * is added.
 */
class DeadlineClock {
  readonly #buckets = new Map<number, Bucket>();
  #timer: Timer | undefined;
  #firesAt = Infinity;
  #waiting = 0;
  #sweepAt = FEW_BUCKETS;

  add(node: AbortNode, deadline: number): DeadlineEntry {
    const bucket = this.#bucketOf(deadline);
    const next = bucket.next;
    const entry: DeadlineEntry = { deadline, node, previous: bucket, next, isWaiting: true };
    bucket.next = entry;
    if (next !== undefined) next.previous = entry;
    if (deadline < this.#firesAt) this.#arm(deadline);
    this.#waiting += 1;
    // The timer keeps the process alive only while a call waits for its deadline.
    if (this.#waiting === 1) this.#timer?.ref?.();
    return entry;
  }

  remove(entry: DeadlineEntry): void {
    if (!entry.isWaiting) return;
    entry.isWaiting = false;
    entry.previous.next = entry.next;
    if (entry.next !== undefined) entry.next.previous = entry.previous;
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#timer?.unref?.();
  }

  #bucketOf(deadline: number): Bucket {
    const known = this.#buckets.get(deadline);
    if (known !== undefined) return known;
    if (this.#buckets.size >= this.#sweepAt) this.#dropEmpty();
    const bucket: Bucket = { next: undefined };
    this.#buckets.set(deadline, bucket);
    return bucket;
  }

  #dropEmpty(): void {
    for (const [deadline, bucket] of this.#buckets) {
      if (bucket.next === undefined) this.#buckets.delete(deadline);
    }
    this.#sweepAt = Math.max(FEW_BUCKETS, this.#buckets.size * 2);
  }

  #arm(deadline: number): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer as unknown as number);
    const delay = Math.min(Math.max(0, deadline - Date.now()), MAX_DELAY);
    this.#firesAt = deadline;
    this.#timer = setTimeout(() => this.#fire(), delay) as unknown as Timer;
  }

  #fire(): void {
    const expired = this.#takeExpired(Date.now());
    this.#dropEmpty();
    this.#timer = undefined;
    this.#firesAt = Infinity;
    let next = Infinity;
    for (const deadline of this.#buckets.keys()) next = Math.min(next, deadline);
    if (next < Infinity) this.#arm(next);
    for (const node of expired) node.abort(deadlineError());
  }

  #takeExpired(now: number): AbortNode[] {
    const expired: AbortNode[] = [];
    for (const [deadline, bucket] of this.#buckets) {
      if (deadline > now) continue;
      for (let entry = bucket.next; entry !== undefined; entry = bucket.next) {
        expired.push(entry.node);
        this.remove(entry);
      }
    }
    return expired;
  }
}

export const deadlineClock: DeadlineClock = new DeadlineClock();
