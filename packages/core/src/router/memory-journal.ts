import { fail } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { Journal, JournalKey, JournalLease, JournalVerdict } from "./journal.ts";

const KEEP_MS = 86_400_000;

interface Entry {
  readonly digest: string;
  readonly requestId: string;
  state: "started" | "sent" | "settled";
  /** As text, so that nobody can change what was recorded. */
  result: string;
  settledAt: number;
  readonly waiting: Set<() => void>;
}

type Entries = Map<string, Entry>;

function scopeOf({ identity, host, capability, key }: JournalKey): string {
  return JSON.stringify([identity, host, capability, key]);
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

  async sent(): Promise<void> {
    this.#move("started", "sent");
  }

  async again(): Promise<void> {
    this.#move("sent", "started");
    this.attempt += 1;
  }

  async settle(result: ResultEnvelope, outcome: Outcome): Promise<void> {
    const entry = this.#entry;
    const isMine = this.#entries.get(this.#scope) === entry && entry.state !== "settled";
    if (!isMine && outcome === "not_applied") return;
    if (!isMine) throw fail("NOT_READY", "The journal no longer has this call", { outcome });
    // Set again, so that the map is in the order of settling and old entries come first.
    this.#entries.delete(this.#scope);
    if (outcome !== "not_applied") this.#entries.set(this.#scope, entry);
    entry.result = JSON.stringify(result);
    entry.settledAt = Date.now();
    entry.state = "settled";
    for (const wake of entry.waiting) wake();
  }

  #move(from: Entry["state"], to: Entry["state"]): void {
    if (this.#entries.get(this.#scope) !== this.#entry || this.#entry.state !== from) {
      throw fail("NOT_READY", "This call does not hold its idempotency key any more", {
        outcome: "not_applied",
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

/** Until the entry's call ends, the journal closes or the caller gives up. */
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
      // Nothing may happen between looking and beginning to wait, or it would be missed.
      const verdict = this.#verdict(key, requestId);
      const entry = this.#entries.get(scopeOf(key));
      if (verdict.state !== "in_flight" || entry === undefined) return verdict;
      await untilEnded(entry, signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { waiting } of this.#entries.values()) for (const wake of waiting) wake();
    this.#entries.clear();
  }

  #verdict(key: JournalKey, requestId: string): JournalVerdict {
    if (this.#isClosed)
      throw fail("NOT_READY", "The journal is closed", { outcome: "not_applied" });
    prune(this.#entries);
    const scope = scopeOf(key);
    const entry = this.#entries.get(scope);
    if (entry === undefined) return this.#own(scope, key.digest, requestId);
    if (entry.digest !== key.digest) return { state: "conflict" };
    if (entry.state !== "settled") return { state: "in_flight", requestId: entry.requestId };
    return { state: "settled", result: JSON.parse(entry.result) as ResultEnvelope };
  }

  #own(scope: string, digest: string, requestId: string): JournalVerdict {
    const fresh = { digest, requestId, result: "", settledAt: 0, waiting: new Set<() => void>() };
    const entry: Entry = { ...fresh, state: "started" };
    this.#entries.set(scope, entry);
    return { state: "owned", lease: new MemoryLease(this.#entries, scope, entry) };
  }
}

/**
 * A journal that lives as long as the process: for tests, and where nothing may be written.
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
