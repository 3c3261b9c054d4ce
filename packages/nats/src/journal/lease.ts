import { setTimeout as delay } from "node:timers/promises";
import { fail } from "@waybill/core";
import { recordResult } from "@waybill/core/protocol";
import type { Outcome, ResultEnvelope } from "@waybill/core";
import type { JournalLease } from "@waybill/core/protocol";
import { journalClosed, leaseLost, storeFailure } from "./failure.ts";
import type { Found, KvStore, Row } from "./store.ts";

/** The parts of a journal that a lease uses. */
export interface LeaseKeeper {
  readonly store: KvStore;
  readonly isClosed: boolean;
  /** How long a caller waits until the end of its write is recorded. */
  readonly settleMs: number;
  note(error: unknown): void;
  drop(lease: KvLease): void;
}

const PAUSE_MS = 200;
/** How long Waybill retries to record the end of a write while the store fails. */
const RECORD_WITHIN_MS = 600_000;

function changed(): Error {
  return new Error("another process changed the record");
}

/** Whether the work ends within the time. Throws what the work throws by then. */
async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

/**
 * The right to send under a key. It holds as long as the row has not changed since the last step
 * of this lease.
 */
export class KvLease implements JournalLease {
  readonly requestId: string;
  readonly #keeper: LeaseKeeper;
  readonly #scope: string;
  #row: Row;
  #revision: number;
  /**
   * Steps and renewals run one after the other, because each must name the revision that the
   * previous one created.
   */
  #last: Promise<unknown> = Promise.resolve();
  /** Why the store failed the last time. */
  #failure: unknown = new Error("the NATS server did not answer in time");

  constructor(keeper: LeaseKeeper, scope: string, row: Row, revision: number) {
    this.#keeper = keeper;
    this.#scope = scope;
    this.#row = row;
    this.#revision = revision;
    this.requestId = row.requestId;
  }

  get attempt(): number {
    return this.#row.attempt;
  }

  sent(trail?: string): Promise<void> {
    const left = trail === undefined ? {} : { trail };
    return this.#move("started", (row) => ({ ...row, ...left, state: "sent" }));
  }

  again(): Promise<void> {
    return this.#move("sent", (row) => ({ ...row, state: "started", attempt: row.attempt + 1 }));
  }

  /**
   * If the store fails for longer than a caller should wait, the recording goes on without the
   * caller. A cluster may need longer to elect a leader, and repeats of the call wait for the
   * record.
   */
  async settle(result: ResultEnvelope, outcome: Outcome): Promise<void> {
    // Stops renewals, because a renewal would only wait until the result is recorded.
    this.#keeper.drop(this);
    const recording = this.#inTurn(() =>
      outcome === "not_applied" ? this.#free() : this.#record(recordResult(result), outcome),
    );
    const isRecorded = await isDoneWithin(this.#keeper.settleMs, recording);
    if (!isRecorded) throw storeFailure(this.#failure, outcome);
  }

  /** Shows that the owner is alive. If a renewal fails, the next step detects it. */
  async renew(): Promise<void> {
    await this.#inTurn(() => this.#write(this.#row)).catch(() => {});
  }

  /** Frees the key if nothing was sent under it. */
  async release(): Promise<void> {
    if (this.#row.state !== "started") return;
    await this.#inTurn(() => this.#keeper.store.remove(this.#scope, this.#revision)).catch(
      () => {},
    );
  }

  /**
   * Frees a key whose claim failed, because the claim may have been stored. Otherwise a repeat of
   * the call would wait until the lease expires.
   */
  abandon(): void {
    void this.#inTurn(() => this.#free()).catch(() => {});
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(step, step);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #move(from: Row["state"], change: (row: Row) => Row): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#keeper.isClosed) throw journalClosed("not_applied");
      if (this.#row.state !== from) throw leaseLost();
      try {
        if (!(await this.#write(change(this.#row)))) throw leaseLost();
      } catch (error) {
        this.#keeper.note(error);
        throw storeFailure(error, "not_applied");
      }
    });
  }

  /** Returns false if another lease has the row, or if the row is at another step. */
  async #write(next: Row): Promise<boolean> {
    const { store } = this.#keeper;
    const revision =
      (await store.put(this.#scope, next, this.#revision)) ?? (await this.#writeOverOwn(next));
    if (revision === undefined) return false;
    this.#revision = revision;
    this.#row = next;
    return true;
  }

  /**
   * Writes over a revision that this lease does not know, if the row is its own. Then the
   * acknowledgement of an earlier attempt or of a renewal was lost.
   */
  async #writeOverOwn(next: Row): Promise<number | undefined> {
    const { store } = this.#keeper;
    const { row, revision } = await this.#read();
    if (row === undefined || !this.#isMine(row)) return undefined;
    if (row.state === next.state) return revision;
    return row.state === this.#row.state ? store.put(this.#scope, next, revision) : undefined;
  }

  #isMine(row: Row): boolean {
    return row.owner === this.#row.owner;
  }

  async #free(): Promise<void> {
    await this.#patiently("not_applied", async () => {
      const found = await this.#mine();
      if (found === undefined) return;
      if (!(await this.#keeper.store.remove(this.#scope, found.revision))) throw changed();
    });
    this.#row = { ...this.#row, state: "settled" };
  }

  /** Records the result, even if another caller has already treated this slow owner as dead. */
  async #record(result: string, outcome: Outcome): Promise<void> {
    const state = outcome === "unknown" ? "unknown" : "settled";
    const settled: Row = { ...this.#row, state, result };
    const isRecorded = await this.#patiently(outcome, async () => {
      const found = await this.#mine();
      if (found === undefined) return false;
      const revision = await this.#keeper.store.put(this.#scope, settled, found.revision);
      if (revision === undefined) throw changed();
      return true;
    });
    this.#row = settled;
    if (!isRecorded)
      throw fail(
        "NOT_READY",
        "The journal no longer has this call. Check whether the write was applied before you repeat it",
        { outcome },
      );
  }

  /** A new leader may answer before it has applied everything. Then the row looks lost. */
  async #read(): Promise<Found> {
    const found = await this.#keeper.store.get(this.#scope);
    if (found.revision < this.#revision) throw new Error("the NATS server is not up to date yet");
    return found;
  }

  /** The row, if it belongs to this lease and the call has not ended. */
  async #mine(): Promise<Found | undefined> {
    const found = await this.#read();
    const { row } = found;
    const isOpen = row !== undefined && this.#isMine(row) && row.state !== "settled";
    return isOpen ? found : undefined;
  }

  /** Retries, because the server may be restarting and the known result must not be lost. */
  async #patiently<T>(outcome: Outcome, step: () => Promise<T>): Promise<T> {
    const end = performance.now() + RECORD_WITHIN_MS;
    for (;;) {
      try {
        return await step();
      } catch (error) {
        this.#failure = error;
        this.#keeper.note(error);
        if (this.#keeper.isClosed || performance.now() >= end) throw storeFailure(error, outcome);
        await delay(PAUSE_MS, undefined, { ref: false });
      }
    }
  }
}
