import { createHash } from "node:crypto";
import { errorFromUnknown } from "@waybill/core";
import { peekAt, recordResult } from "@waybill/core/protocol";
import type { CallError, Journal, Outcome } from "@waybill/core";
import type { JournalKey, JournalPeek, JournalProbe, JournalVerdict } from "@waybill/core/protocol";
import { Backoff, FileDoor, fileError, loadDriver } from "../sqlite/index.ts";
import { stateFiles } from "../files/index.ts";
import { withChecksum } from "./checksum.ts";
import { takeKey } from "./claim.ts";
import type { Claim, ClaimVerdict } from "./claim.ts";
import { storeFailure } from "./failure.ts";
import { isAbsent } from "./is-absent.ts";
import { judge } from "./judge-row.ts";
import { SqliteLease } from "./lease.ts";
import type { LeaseKeeper } from "./lease.ts";
import { newOwner } from "../files/owner.ts";
import { Renewal } from "./renewal.ts";
import { Store } from "./store.ts";

export interface JournalOptions {
  /** The file (default: `journal.db` in the user's state folder). */
  readonly path?: string;
  /**
   * How long an owner counts as alive after its last renewal. Used if its process cannot be
   * checked.
   */
  readonly leaseMs?: number;
  readonly renewMs?: number;
  /** How long a finished call is remembered. */
  readonly keepMs?: number;
  /** How long a step waits for a busy file before it fails. */
  readonly waitMs?: number;
  readonly now?: () => number;
}

const LONGEST_POLL_MS = 100;
/** How long the result of a check of the store is reused. */
const CHECK_LIFE_MS = 30_000;

function fileScope({ identity, host, capability, key }: JournalKey): string {
  const parts = JSON.stringify([identity, host, capability, key]);
  return createHash("sha256").update(parts).digest("base64url");
}

class SqliteJournal implements Journal, LeaseKeeper {
  readonly #path: string;
  readonly #leaseMs: number;
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #door: FileDoor<Store>;
  readonly #renewal: Renewal;
  readonly #closing = new AbortController();
  #problem: string | undefined;
  #checkedAt = -Infinity;
  #checking: Promise<void> | undefined;

  constructor(options: JournalOptions) {
    this.#path = options.path ?? stateFiles().journal;
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#keepMs = options.keepMs ?? 86_400_000;
    this.#now = options.now ?? Date.now;
    this.#door = new FileDoor(() => Store.open(this.#path), options.waitMs ?? 5_000);
    this.#renewal = new Renewal(this.#door, options.renewMs ?? 10_000);
  }

  async begin(key: JournalKey, requestId: string): Promise<JournalVerdict> {
    try {
      return await this.#begin(key, requestId, "not_applied");
    } catch (thrown) {
      throw errorFromUnknown(thrown).with({ outcome: await this.#outcomeSoFar(key) });
    }
  }

  async join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    const backoff = new Backoff(LONGEST_POLL_MS);
    for (;;) {
      signal.throwIfAborted();
      // The call that this one waits for may have been applied, so a failure here means an
      // unknown outcome.
      const verdict = await this.#peek(key, requestId);
      if (verdict.state !== "in_flight") return verdict;
      await backoff.pause(ending).catch(() => this.#endJoin(signal));
    }
  }

  async peek(key: JournalKey): Promise<JournalPeek> {
    const now = this.#now();
    if (await isAbsent(this.#path)) return "free";
    const row = await this.#guard("unknown", (store) => store.find(fileScope(key), now));
    return peekAt(judge(row, key.digest, now));
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  async check(): Promise<void> {
    if (this.#checking === undefined && performance.now() - this.#checkedAt < CHECK_LIFE_MS) return;
    this.#checking ??= this.#tryOut().finally(() => (this.#checking = undefined));
    await this.#checking;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#renewal.stop();
    await this.#door.close();
  }

  async write<T>(outcome: Outcome, step: (store: Store) => T): Promise<T> {
    return this.#guard(outcome, (store) => store.transaction(() => step(store)));
  }

  leaseTimes(): { leaseUntil: number; expires: number } {
    const leaseUntil = this.#now() + this.#leaseMs;
    return { leaseUntil, expires: leaseUntil + this.#keepMs };
  }

  keepUntil(): number {
    return this.#now() + this.#keepMs;
  }

  drop(lease: SqliteLease): void {
    this.#renewal.remove(lease);
  }

  async #guard<T>(outcome: Outcome, step: (store: Store) => T): Promise<T> {
    try {
      const value = await this.#door.use(step);
      this.#note(undefined);
      return value;
    } catch (error) {
      const failure = storeFailure(error, this.#path, outcome);
      this.#note(failure);
      throw failure;
    }
  }

  #note(failure: CallError | undefined): void {
    this.#checkedAt = performance.now();
    this.#problem = failure && `${failure.message} (${failure.details.hint ?? ""})`;
  }

  /**
   * Writes to the store, because only that detects a full disk. Does not wait for a busy file.
   * Before the first key there is no file, which is fine if SQLite can create one.
   */
  async #tryOut(): Promise<void> {
    try {
      if (await isAbsent(this.#path)) await loadDriver();
      else await this.#door.useNow((store) => store.transaction(() => store.touch()));
      this.#note(undefined);
    } catch (error) {
      this.#note(storeFailure(error, this.#path, "not_applied"));
    }
  }

  /** This call sent nothing, but an earlier one may have. Only the row shows that. */
  async #outcomeSoFar(key: JournalKey): Promise<Outcome> {
    const now = this.#now();
    try {
      if (await isAbsent(this.#path)) return "not_applied";
      const row = await this.#door.useNow((store) => store.find(fileScope(key), now));
      return judge(row, key.digest, now).state === "vacant" ? "not_applied" : "unknown";
    } catch {
      return "unknown";
    }
  }

  #endJoin(signal: AbortSignal): never {
    signal.throwIfAborted();
    throw storeFailure(fileError("FILE_CLOSED"), this.#path, "unknown");
  }

  async #begin(key: JournalKey, requestId: string, outcome: Outcome): Promise<JournalVerdict> {
    const { claim, verdict } = await this.write(outcome, (store) => {
      const fresh = this.#claim(key, requestId);
      return { claim: fresh, verdict: takeKey(store, fresh) };
    });
    if (verdict.state === "open") return this.#opened(verdict);
    if (verdict.state !== "claimed") return verdict;
    const lease = new SqliteLease(this, claim, verdict.attempt);
    this.#renewal.add(lease);
    return { state: "owned", lease };
  }

  #opened({
    row,
    state: _open,
    ...write
  }: Extract<ClaimVerdict, { state: "open" }>): JournalVerdict {
    const { digest, trail, ...place } = row;
    const probe: JournalProbe = {
      resolve: async (found) => {
        await (found === "not_applied"
          ? this.write("not_applied", (store) => store.change("resolveFree", place))
          : this.write("applied", (store) => {
              const content = withChecksum({ digest, trail, result: recordResult(found) });
              return store.change("resolve", { ...place, ...content, expires: this.keepUntil() });
            }));
      },
    };
    return { ...write, state: "unknown", probe };
  }

  #claim(key: JournalKey, requestId: string): Claim {
    const [now, keepUntil] = [this.#now(), this.keepUntil()];
    const owner = newOwner();
    return { scope: fileScope(key), key, requestId, owner, now, keepUntil, ...this.leaseTimes() };
  }

  /** Reading takes no lock, so waiting callers do not block the one that writes. */
  async #peek(key: JournalKey, requestId: string): Promise<JournalVerdict> {
    const now = this.#now();
    const row = await this.#guard("unknown", (store) => store.find(fileScope(key), now));
    const ruling = judge(row, key.digest, now);
    if (ruling.state !== "vacant" && ruling.state !== "open") return ruling;
    return this.#begin(key, requestId, "unknown");
  }
}

/** A journal in an SQLite file that many processes share. The file is opened at the first key. */
export function openJournal(options: JournalOptions = {}): Journal {
  return new SqliteJournal(options);
}
