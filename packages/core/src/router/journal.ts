import type { ResultEnvelope } from "../envelope/index.ts";

/** The scope of a key. The same key of another caller, host or capability is a different key. */
export interface JournalKey {
  /** The key that the caller gave. */
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

/** The journal's answer when a call with a key begins. */
export type JournalVerdict =
  /** The key is free: this call owns it now. */
  | { readonly state: "owned"; readonly lease: JournalLease }
  /** The key has a recorded result. */
  | { readonly state: "settled"; readonly result: ResultEnvelope }
  /** Another call holds the key. Ask again, or wait with `join`. */
  | { readonly state: "in_flight"; readonly requestId: string }
  /** The write was sent, and its outcome is not known. */
  | ({ readonly state: "unknown" } & UnknownWrite)
  /** The key was used with other input. */
  | { readonly state: "conflict" };

/** A write of unknown outcome under a key. */
export interface UnknownWrite {
  /** The call that sent it. */
  readonly requestId: string;
  /** The recorded result. Absent if the process died before there was one. */
  readonly result?: ResultEnvelope | undefined;
  /** The trail that its call left for a probe. Absent if it left none. */
  readonly trail?: string | undefined;
  /**
   * The right to probe now. Nobody else may probe for the next `PROBE_PAUSE_MS`. Absent if another
   * caller has this right.
   */
  readonly probe?: JournalProbe;
}

/** The right to probe for a write. */
export interface JournalProbe {
  /**
   * Records what the probe found, unless the write was settled meanwhile: the result of an applied
   * write, or `not_applied`, which frees the key.
   */
  resolve(found: ResultEnvelope | "not_applied"): Promise<void>;
}

/** The minimum time between two probes for one key. */
export const PROBE_PAUSE_MS = 5_000;

/** The right to send under a key. Every step is on disk before it returns. */
export interface JournalLease {
  /** The call that holds the key. */
  readonly requestId: string;
  /** How often the write was started, counted from 1. */
  readonly attempt: number;
  /**
   * Changes the state from started to sent. Throws if the lease was lost; then nothing may be sent.
   * A probe uses the trail if the outcome stays unknown.
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

/** Remembers keyed writes so that none is sent twice, by any process that shares the store. */
export interface Journal {
  /** Throws if the store cannot be written. Then a keyed write must be refused. */
  begin(key: JournalKey, requestId: string): Promise<JournalVerdict>;
  /**
   * Waits while another call holds the key, then returns the same as `begin`. If the key is free by
   * then, `requestId` owns it. Throws the signal's reason if it aborts.
   */
  join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict>;
  /**
   * Why the store could not be used the last time, in one sentence. It is read for every write
   * without a key, so it must be cheap. Absent if the store works.
   */
  readonly problem?: string | undefined;
  /**
   * Checks whether the store can be used, unless it was checked recently. Never throws (default:
   * the store cannot break).
   */
  check?(): Promise<void>;
  /** Releases the resources of the journal. */
  close(): Promise<void>;
}
