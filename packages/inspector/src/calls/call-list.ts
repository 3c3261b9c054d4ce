import type { CallSummary } from "@waybill/server";

/** A page left open for days stays as large as this many calls make it. */
export const MAX_CALLS = 20_000;
/** Trimmed in pieces, because moving the whole list for each call that comes is dear. */
const SLACK = 1_000;

/** The calls that the page knows, by their number; a call that it knows is not taken twice. */
export class CallList {
  /** Oldest first, so that what is new goes to the end. */
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

  /** Counted from the newest. */
  at(index: number): CallSummary | undefined {
    return this.#calls[this.#calls.length - 1 - index];
  }

  /** Oldest first; says how many were new. */
  addNewer(calls: readonly CallSummary[]): number {
    const before = this.#calls.length;
    for (const call of calls) if (call.seq > this.newest) this.#calls.push(call);
    const added = this.#calls.length - before;
    if (this.#calls.length > MAX_CALLS + SLACK) this.#calls = this.#calls.slice(-MAX_CALLS);
    return added;
  }

  /** Newest first, as a page of the history comes. */
  addOlder(calls: readonly CallSummary[]): void {
    const limit = this.oldest ?? Number.POSITIVE_INFINITY;
    const older = calls.filter(({ seq }) => seq < limit).toReversed();
    this.#calls = [...older, ...this.#calls];
  }

  clear(): void {
    this.#calls = [];
  }
}
