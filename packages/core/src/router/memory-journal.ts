import { fail } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type {
  Journal,
  JournalKey,
  JournalLease,
  JournalPeek,
  JournalProbe,
  JournalVerdict,
  UnknownWrite,
} from "./journal.ts";
import { judgeRecord, peekAt } from "./judge-record.ts";

const KEEP_MS = 86_400_000;

interface Entry {
  readonly digest: string;
  readonly requestId: string;
  state: "started" | "sent" | "settled";
  /** Stored as text, so that callers cannot change the recorded result. */
  result: string;
  trail: string | undefined;
  probedAt: number;
  settledAt: number;
  readonly waiting: Set<() => void>;
}

type Entries = Map<string, Entry>;

function memoryScope({ identity, host, capability, key }: JournalKey): string {
  return JSON.stringify([identity, host, capability, key]);
}

/** Records the end of a call, or frees its key. */
function endEntry(entries: Entries, scope: string, found: ResultEnvelope | "not_applied"): void {
  const entry = entries.get(scope)!;
  // Inserts the entry again, so that the map is ordered by the time of settling and the oldest
  // entries come first.
  entries.delete(scope);
  if (found !== "not_applied") entries.set(scope, entry);
  entry.result = found === "not_applied" ? "" : JSON.stringify(found);
  entry.settledAt = Date.now();
  entry.state = "settled";
  for (const wake of entry.waiting) wake();
}

class MemoryLease implements JournalLease {
  attempt = 1;
  readonly requestId: string;
  readonly #entries: Entries;
  readonly #scope: string;
  readonly #entry: Entry;

  constructor(entries: Entries, scope: string, entry: Entry) {
    this.requestId = entry.requestId;
    this.#entries = entries;
    this.#scope = scope;
    this.#entry = entry;
  }

  async sent(trail?: string): Promise<void> {
    this.#move("started", "sent");
    this.#entry.trail = trail;
  }

  async again(): Promise<void> {
    this.#move("sent", "started");
    this.attempt += 1;
  }

  async settle(result: ResultEnvelope, outcome: Outcome): Promise<void> {
    const entry = this.#entry;
    const isMine = this.#entries.get(this.#scope) === entry && entry.state !== "settled";
    if (!isMine && outcome === "not_applied") return;
    if (!isMine)
      throw fail(
        "NOT_READY",
        "The journal no longer has this call. Check whether the write was applied before you repeat it",
        { outcome },
      );
    endEntry(this.#entries, this.#scope, outcome === "not_applied" ? outcome : result);
  }

  #move(from: Entry["state"], to: Entry["state"]): void {
    if (this.#entries.get(this.#scope) !== this.#entry || this.#entry.state !== from) {
      throw fail("NOT_READY", "This call has lost its idempotency key to another call", {
        outcome: "unknown",
        hint: "Call again with the same key to get its result",
      });
    }
    this.#entry.state = to;
  }
}

function prune(entries: Entries): void {
  const end = Date.now() - KEEP_MS;
  for (const [scope, { state, settledAt }] of entries) {
    if (state !== "settled") continue;
    if (settledAt > end) return;
    entries.delete(scope);
  }
}

/** Waits until the call ends, the journal closes or the caller aborts. */
function untilEnded({ waiting }: Entry, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener("abort", wake);
  });
}

class MemoryJournal implements Journal {
  readonly #entries: Entries = new Map();
  #isClosed = false;

  async begin(key: JournalKey, requestId: string): Promise<JournalVerdict> {
    return this.#verdict(key, requestId);
  }

  async join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict> {
    for (;;) {
      signal.throwIfAborted();
      // Nothing may be awaited between this check and the wait. Otherwise an event could be missed.
      const verdict = this.#verdict(key, requestId);
      const entry = this.#entries.get(memoryScope(key));
      if (verdict.state !== "in_flight" || entry === undefined) return verdict;
      await untilEnded(entry, signal);
    }
  }

  async peek(key: JournalKey): Promise<JournalPeek> {
    this.#assertOpen();
    prune(this.#entries);
    return peekAt(judgeRecord(this.#entries.get(memoryScope(key)), key.digest, () => false));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { waiting } of this.#entries.values()) for (const wake of waiting) wake();
    this.#entries.clear();
  }

  #assertOpen(): void {
    if (!this.#isClosed) return;
    const message = "The journal of writes is closed; open a new one and repeat the call";
    throw fail("NOT_READY", message, { outcome: "unknown" });
  }

  #verdict(key: JournalKey, requestId: string): JournalVerdict {
    this.#assertOpen();
    prune(this.#entries);
    const scope = memoryScope(key);
    const entry = this.#entries.get(scope);
    // All owners are in this process, so none of them is dead.
    const ruling = judgeRecord(entry, key.digest, () => false);
    if (ruling.state === "vacant") return this.#own(scope, key.digest, requestId);
    return ruling.state === "open" ? this.#open(scope, entry!, ruling) : ruling;
  }

  #open(scope: string, entry: Entry, write: UnknownWrite): JournalVerdict {
    entry.probedAt = Date.now();
    const recorded = entry.result;
    const probe: JournalProbe = {
      resolve: async (found) => {
        const isSame = this.#entries.get(scope) === entry && entry.result === recorded;
        if (isSame) endEntry(this.#entries, scope, found);
      },
    };
    return { ...write, state: "unknown", probe };
  }

  #own(scope: string, digest: string, requestId: string): JournalVerdict {
    const fresh = { digest, requestId, result: "", trail: undefined, probedAt: 0, settledAt: 0 };
    const entry: Entry = { ...fresh, state: "started", waiting: new Set<() => void>() };
    this.#entries.set(scope, entry);
    return { state: "owned", lease: new MemoryLease(this.#entries, scope, entry) };
  }
}

/**
 * A journal that lives as long as the process. Use it for tests, and where nothing may be written
 * to disk.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, memoryJournal } from "@waybill/core";
 *
 * let sent = 0;
 * const send = defineOperation({
 *   id: "mail.send",
 *   description: "Send a mail",
 *   handler: () => (sent += 1),
 * });
 * const waybill = createWaybill({ operations: [send], journal: memoryJournal() });
 * await waybill.execute("mail.send", {}, { idempotency_key: "k" });
 * await waybill.execute("mail.send", {}, { idempotency_key: "k" });
 * console.log(sent);
 * ```
 *
 * ```text
 * 1
 * ```
 */
export function memoryJournal(): Journal {
  return new MemoryJournal();
}
