import { signal } from "@preact/signals";
import type { CallSummary, CallsAnswer } from "@waybill/server";
import { ask } from "../api/ask.ts";
import { CallList, MAX_CALLS } from "./call-list.ts";
import { follow } from "./stream.ts";

const PAGE = 500;

/** The visible list. It is a new object in each frame in which it changed. */
export interface Picture {
  readonly phase: "loading" | "ready" | "failed";
  readonly thrown?: unknown;
  readonly count: number;
  /** New calls that are not shown yet, because the user has scrolled down. */
  readonly held: number;
  readonly total: number;
  readonly hasOlder: boolean;
}

const NOTHING: Picture = { phase: "loading", count: 0, held: 0, total: 0, hasOlder: false };

/** The calls that match the filters: from the history, and new ones. */
export class LiveCalls {
  readonly picture = signal<Picture>(NOTHING);
  readonly #filters: URLSearchParams;
  readonly #list = new CallList();
  readonly #end = new AbortController();
  #arrived: CallSummary[] = [];
  #cancelFrame: (() => void) | undefined;
  #instance: string | undefined;
  #isLoadingOlder = false;
  #isHolding = false;
  #lastSeq = 0;

  constructor(filters: URLSearchParams) {
    this.#filters = filters;
    void this.#start();
  }

  close(): void {
    this.#end.abort();
    this.#cancelFrame?.();
  }

  /** The call at an index, counted from the newest visible one. */
  at(index: number): CallSummary | undefined {
    return this.#list.at(index + this.picture.value.held);
  }

  /** Keeps new calls back while the user reads, so that the rows do not move. */
  hold(isHolding: boolean): void {
    if (this.#isHolding === isHolding) return;
    this.#isHolding = isHolding;
    if (!isHolding && this.picture.value.held > 0) this.#show({ held: 0 });
  }

  async loadOlder(): Promise<void> {
    const { oldest, isFull } = this.#list;
    if (this.#isLoadingOlder || isFull || oldest === undefined) return;
    this.#isLoadingOlder = true;
    try {
      const { calls, more } = await this.#page(oldest);
      this.#list.addOlder(calls);
      this.#show({ hasOlder: more && !this.#list.isFull });
    } catch {
      // The error is ignored, because the next scroll tries again.
    } finally {
      this.#isLoadingOlder = false;
    }
  }

  async #start(): Promise<void> {
    await this.#load();
    await follow(
      this.#filters,
      {
        after: () => this.#lastSeq,
        hello: ({ instance }) => this.#hear(instance),
        calls: (calls) => this.#take(calls),
      },
      this.#end.signal,
    );
  }

  async #load(): Promise<void> {
    try {
      const { calls, more, total, last_seq } = await this.#page();
      this.#list.clear();
      this.#list.addNewer(calls.toReversed());
      // Calls that arrived during the request are newer than its result and are kept.
      this.#arrived = this.#arrived.filter(({ seq }) => seq > last_seq);
      this.#lastSeq = Math.max(last_seq, this.#arrived.at(-1)?.seq ?? 0);
      this.#show({ phase: "ready", held: 0, total, hasOlder: more });
    } catch (thrown) {
      if (!this.#end.signal.aborted) this.#show({ phase: "failed", thrown });
    }
  }

  #page(before?: number): Promise<CallsAnswer> {
    const query = new URLSearchParams(this.#filters);
    query.set("limit", String(PAGE));
    if (before !== undefined) query.set("before", String(before));
    return ask(`/v1/inspect/calls?${query.toString()}`, { signal: this.#end.signal });
  }

  /** Loads the list again if it failed before, or if the history was replaced. */
  #hear(instance: string): void {
    const isOther = this.#instance !== undefined && this.#instance !== instance;
    this.#instance = instance;
    if (isOther) this.#arrived = [];
    if (isOther || this.picture.value.phase === "failed") void this.#load();
  }

  #take(calls: readonly CallSummary[]): void {
    for (const call of calls) this.#arrived.push(call);
    if (this.#arrived.length > MAX_CALLS) this.#arrived = this.#arrived.slice(-MAX_CALLS);
    this.#lastSeq = Math.max(this.#lastSeq, calls.at(-1)?.seq ?? 0);
    this.#cancelFrame ??= nextFrame(() => this.#flush());
  }

  #flush(): void {
    this.#cancelFrame = undefined;
    const added = this.#list.addNewer(this.#arrived);
    this.#arrived = [];
    if (added === 0) return;
    const { held, total } = this.picture.value;
    this.#show({ held: this.#isHolding ? held + added : 0, total: total + added });
  }

  #show(changes: Partial<Picture>): void {
    const next = { ...this.picture.value, ...changes };
    const held = Math.min(next.held, this.#list.size);
    this.picture.value = { ...next, held, count: this.#list.size - held };
  }
}

/**
 * Runs a function in the next frame. A hidden page has no frames, so it uses a timer instead.
 * Returns a function that cancels it.
 */
function nextFrame(run: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(run, 250);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
