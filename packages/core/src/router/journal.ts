import type { ResultEnvelope } from "../envelope/index.ts";

/**
 * Everything that identifies a key. The same key of another caller, host or capability is a
 * different key.
 */
export interface JournalKey {
  /** The idempotency key that the caller gave. */
  readonly key: string;
  /** Id of the caller; empty for the program itself. */
  readonly identity: string;
  /** The upstream that the write goes to. */
  readonly host: string;
  /** The capability that is called. */
  readonly capability: string;
  /** Digest of the input. The same key with different input is a conflict. */
  readonly digest: string;
}

/** The answer of the journal when a call with a key begins. */
export type JournalVerdict =
  /** The key was free. Now this call owns it. */
  | { readonly state: "owned"; readonly lease: JournalLease }
  /** The key has a recorded result. */
  | { readonly state: "settled"; readonly result: ResultEnvelope }
  /** Another call holds the key. Try again later, or wait with `join`. */
  | { readonly state: "in_flight"; readonly requestId: string }
  /** The write was sent, and its outcome is not known. */
  | ({ readonly state: "unknown" } & UnknownWrite)
  /** The key was used with other input. */
  | { readonly state: "conflict" };

/** A write with an unknown outcome, recorded under a key. */
export interface UnknownWrite {
  /** The id of the call that sent the write. */
  readonly requestId: string;
  /** The recorded result. Absent if the process died before there was one. */
  readonly result?: ResultEnvelope | undefined;
  /** Data that its call left for finding out the outcome. Absent if it left none. */
  readonly trail?: string | undefined;
  /**
   * The right to check the outcome now. Nobody else may check for the next `PROBE_PAUSE_MS`.
   * Absent if another caller has this right.
   */
  readonly probe?: JournalProbe;
}

/** The right to check whether a write was applied. */
export interface JournalProbe {
  /**
   * Records the result of the check, except if the write was settled in the meantime: the result
   * of an applied write, or `not_applied`, which frees the key.
   */
  resolve(found: ResultEnvelope | "not_applied"): Promise<void>;
}

/** The minimum time between two checks for one key. */
export const PROBE_PAUSE_MS = 5_000;

/** The right to send a write under a key. Every method returns only after its change is on disk. */
export interface JournalLease {
  /** The call that holds the key. */
  readonly requestId: string;
  /** How often the write was started, counted from 1. */
  readonly attempt: number;
  /**
   * Changes the state from started to sent. Throws if the lease was lost; then nothing may be
   * sent. If the outcome stays unknown, the trail helps to check it.
   */
  sent(trail?: string): Promise<void>;
  /**
   * Changes the state from sent back to started for another attempt. Allowed only if the last
   * attempt was not applied.
   */
  again(): Promise<void>;
  /** Records the end of the call. `not_applied` frees the key; other outcomes are kept. */
  settle(result: ResultEnvelope, outcome: "not_applied" | "applied" | "unknown"): Promise<void>;
}

/**
 * The state that a call with this key would find now. `free` means that it would send the write.
 */
export type JournalPeek = "free" | Exclude<JournalVerdict["state"], "owned">;

/** Records keyed writes, so that no process that shares the store sends a write twice. */
export interface Journal {
  /** Throws if the store cannot be written. Then a keyed write must be refused. */
  begin(key: JournalKey, requestId: string): Promise<JournalVerdict>;
  /**
   * Waits while another call holds the key, then returns the same as `begin`. If the key is free
   * by then, `requestId` owns it. Throws the reason of the signal if it is aborted.
   */
  join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict>;
  /**
   * Tells what a call with this key would find, and changes nothing. Dry runs use it (default:
   * dry runs do not say it).
   */
  peek?(key: JournalKey): Promise<JournalPeek>;
  /**
   * Why the store failed the last time, in one sentence. Every write without a key reads it, so
   * it must be cheap. Absent if the store works.
   */
  readonly problem?: string | undefined;
  /**
   * Checks whether the store can be used, except if it was checked recently. Never throws
   * (default: the store cannot break).
   */
  check?(): Promise<void>;
  /** Releases the resources of the journal. */
  close(): Promise<void>;
}
