import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "@waybill/core";
import { judgeRecord, peekAt, recordResult } from "@waybill/core/protocol";
import type { Journal, ResultEnvelope } from "@waybill/core";
import type {
  JournalKey,
  JournalPeek,
  JournalProbe,
  JournalRuling,
  JournalVerdict,
} from "@waybill/core/protocol";
import type { NatsLink } from "../link.ts";
import { newToken } from "../wire/token.ts";
import { journalClosed, storeFailure } from "./failure.ts";
import { KvLease } from "./lease.ts";
import type { LeaseKeeper } from "./lease.ts";
import { OwnerWatch } from "./owner-watch.ts";
import { KvStore } from "./store.ts";
import type { Found, Row } from "./store.ts";

export interface NatsJournalOptions {
  /** The name of the bucket (default: `<service>-journal`). */
  readonly bucket?: string;
  /** How long an owner counts as alive after its last renewal. */
  readonly leaseMs?: number;
  readonly renewMs?: number;
  /** How long an ended call is remembered. An existing bucket is not changed. */
  readonly keepMs?: number;
  /**
   * How long a call waits until its end is recorded, while the store fails. The recording goes on
   * after that.
   */
  readonly settleMs?: number;
  /**
   * On how many servers of a cluster the journal is stored (default: as many as there are, up to
   * 3).
   */
  readonly replicas?: number;
}

const LONGEST_POLL_MS = 200;
const CHECK_LIFE_MS = 30_000;
const MAX_RACES = 100;
/** How many renewals an owner may miss after the store has failed. */
const RENEWALS = 2;

function natsScope({ identity, host, capability, key }: JournalKey): string {
  const parts = JSON.stringify([identity, host, capability, key]);
  return createHash("sha256").update(parts).digest("base64url");
}

class NatsJournal implements Journal, LeaseKeeper {
  readonly store: KvStore;
  readonly settleMs: number;
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #leases = new Set<KvLease>();
  readonly #closing = new AbortController();
  #renewal: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #checkedAt = -Infinity;
  /** When the store failed the last time. */
  #failedAt = -Infinity;

  constructor({ connection, service }: NatsLink, options: NatsJournalOptions) {
    const { bucket = `${service}-journal`, keepMs = 86_400_000, replicas } = options;
    this.store = new KvStore(connection, { bucket, keepMs, replicas });
    this.settleMs = options.settleMs ?? 10_000;
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#renewMs = options.renewMs ?? 10_000;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted || this.store.isClosed;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  begin(key: JournalKey, requestId: string): Promise<JournalVerdict> {
    return this.#begin(key, requestId);
  }

  async join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    const watch = new OwnerWatch();
    for (let pause = 10; ; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
      signal.throwIfAborted();
      const verdict = await this.#begin(key, requestId, watch);
      if (verdict.state !== "in_flight") return verdict;
      await delay(pause, undefined, { signal: ending }).catch(() => {
        signal.throwIfAborted();
        throw journalClosed("unknown");
      });
    }
  }

  async peek(key: JournalKey): Promise<JournalPeek> {
    if (this.isClosed) throw journalClosed("unknown");
    try {
      const found = await this.store.get(natsScope(key));
      const ruling = judgeRecord(found.row, key.digest, () => this.#isDead(found), Date.now());
      return peekAt(ruling);
    } catch (error) {
      this.note(error);
      throw storeFailure(error, "unknown");
    }
  }

  async check(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECK_LIFE_MS) return;
    this.#checkedAt = performance.now();
    await this.store.touch().then(
      () => this.#noteWell(),
      (error: unknown) => this.note(error),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#renewal);
    const leases = [...this.#leases];
    this.#leases.clear();
    await Promise.all(leases.map((lease) => lease.release()));
  }

  note(error: unknown): void {
    const { message, details } = storeFailure(error, "not_applied");
    this.#problem = `${message} (${details.hint ?? ""})`;
    this.#checkedAt = performance.now();
    this.#failedAt = this.#checkedAt;
  }

  drop(lease: KvLease): void {
    this.#leases.delete(lease);
    if (this.#leases.size > 0) return;
    clearInterval(this.#renewal);
    this.#renewal = undefined;
  }

  #noteWell(): void {
    this.#problem = undefined;
    this.#checkedAt = performance.now();
  }

  /**
   * If the store cannot be read, the outcome is unknown, because an earlier call with this key
   * may have been applied on any machine.
   */
  async #begin(
    key: JournalKey,
    requestId: string,
    watch = new OwnerWatch(),
  ): Promise<JournalVerdict> {
    if (this.isClosed) throw journalClosed("unknown");
    try {
      const verdict = await this.#claim(key, requestId, watch);
      this.#noteWell();
      return verdict;
    } catch (error) {
      this.note(error);
      throw storeFailure(error, "unknown");
    }
  }

  /** Reads and writes the record, and starts again if another writer changed it in between. */
  async #claim(key: JournalKey, requestId: string, watch: OwnerWatch): Promise<JournalVerdict> {
    const scope = natsScope(key);
    for (let races = 0; races < MAX_RACES; races++) {
      const found = await this.store.get(scope);
      const isDead = (): boolean => this.#isDead(found, watch);
      // Another machine may have recorded the last check, and its clock may differ from this one.
      const ruling = judgeRecord(found.row, key.digest, isDead, Date.now());
      const verdict = await this.#rule(scope, found, ruling, { digest: key.digest, requestId });
      if (verdict !== undefined) return verdict;
    }
    throw fail("NOT_READY", "Too many calls use this idempotency key at the same time", {
      outcome: "unknown",
      hint: "Call again later with the same key",
    });
  }

  /** Undefined if another writer was faster. */
  async #rule(
    scope: string,
    { row, revision }: Found,
    ruling: JournalRuling,
    { digest, requestId }: Pick<Row, "digest" | "requestId">,
  ): Promise<JournalVerdict | undefined> {
    if (ruling.state === "vacant") {
      const attempt = row?.attempt ?? 1;
      const fresh: Row = { digest, requestId, state: "started", attempt, owner: newToken() };
      return this.#own(scope, fresh, revision);
    }
    if (ruling.state !== "open") return ruling;
    // The state `unknown` is recorded, so that all workers agree and only one of them checks the
    // outcome.
    const unknown: Row = { ...row!, state: "unknown", probedAt: Date.now() };
    const written = await this.store.put(scope, unknown, revision);
    if (written === undefined) return undefined;
    const probe: JournalProbe = { resolve: (seen) => this.#resolve(scope, unknown, seen) };
    return { ...ruling, state: "unknown", probe };
  }

  /**
   * Records the result of a check, except if the write was settled or taken over in the
   * meantime.
   */
  async #resolve(
    scope: string,
    { owner, attempt }: Row,
    found: ResultEnvelope | "not_applied",
  ): Promise<void> {
    const outcome = found === "not_applied" ? found : "applied";
    try {
      for (let races = 0; races < MAX_RACES; races++) {
        const { row, revision } = await this.store.get(scope);
        const isOpen = row?.state === "unknown" && row.owner === owner && row.attempt === attempt;
        if (!isOpen) return;
        const written =
          found === "not_applied"
            ? await this.store.remove(scope, revision)
            : await this.store.put(
                scope,
                { ...row, state: "settled", result: recordResult(found) },
                revision,
              );
        if (written !== undefined && written !== false) return;
      }
    } catch (error) {
      this.note(error);
      throw storeFailure(error, outcome);
    }
  }

  /**
   * Compares the server's clock with this machine's. If they differ, a live owner may count as
   * dead. If that owner has not sent yet, it notices this and sends nothing; otherwise the
   * outcome is unknown. After the store has failed, its owners get time to show that they are alive.
   */
  #isDead(found: Found, watch?: OwnerWatch): boolean {
    if (performance.now() - this.#failedAt < RENEWALS * this.#renewMs) return false;
    const unchangedMs = watch?.unchangedMs(found) ?? 0;
    return Math.max(Date.now() - found.writtenAt, unchangedMs) > this.#leaseMs;
  }

  async #own(scope: string, row: Row, revision: number): Promise<JournalVerdict | undefined> {
    const written = await this.#claimRow(scope, row, revision);
    if (written === undefined) return undefined;
    const lease = new KvLease(this, scope, row, written);
    this.#leases.add(lease);
    this.#renewal ??= setInterval(() => this.#renew(), this.#renewMs).unref();
    return { state: "owned", lease };
  }

  async #claimRow(scope: string, row: Row, revision: number): Promise<number | undefined> {
    try {
      return await this.store.put(scope, row, revision);
    } catch (error) {
      new KvLease(this, scope, row, revision).abandon();
      throw error;
    }
  }

  #renew(): void {
    for (const lease of this.#leases) void lease.renew();
  }
}

/**
 * A journal in JetStream that all workers of a service share, so that a keyed write is applied at
 * most once in the whole cluster. Nothing is opened before the first key is used.
 */
export function natsJournal(link: NatsLink, options: NatsJournalOptions = {}): Journal {
  return new NatsJournal(link, options);
}
