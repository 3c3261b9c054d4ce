import type { CallSummary } from "@waybill/server";

/** The most calls to keep, for a page that stays open for days. */
export const MAX_CALLS = 20_000;
/** Old calls are removed in batches, because moving the whole list for each new call is slow. */
const SLACK = 1_000;

/** The calls that the page knows, by number. A known call is not added twice. */
export class CallList {
  /** The calls, oldest first, so that new calls are appended. */
  #calls: CallSummary[] = [];

  get size(): number {
    return this.#calls.length;
  }

  get isFull(): boolean {
    return this.#calls.length >= MAX_CALLS;
  }

  get newest(): number {
    return this.#calls.at(-1)?.seq ?? 0;
  }

  get oldest(): number | undefined {
    return this.#calls[0]?.seq;
  }

  /** The call at an index, counted from the newest. */
  at(index: number): CallSummary | undefined {
    return this.#calls[this.#calls.length - 1 - index];
  }

  /** Adds calls, oldest first. Returns how many were new. */
  addNewer(calls: readonly CallSummary[]): number {
    const before = this.#calls.length;
    for (const call of calls) if (call.seq > this.newest) this.#calls.push(call);
    const added = this.#calls.length - before;
    if (this.#calls.length > MAX_CALLS + SLACK) this.#calls = this.#calls.slice(-MAX_CALLS);
    return added;
  }

  /** Adds a page of the history, newest first. */
  addOlder(calls: readonly CallSummary[]): void {
    const limit = this.oldest ?? Number.POSITIVE_INFINITY;
    const older = calls.filter(({ seq }) => seq < limit).toReversed();
    this.#calls = [...older, ...this.#calls];
  }

  clear(): void {
    this.#calls = [];
  }
}
