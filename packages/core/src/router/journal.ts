import type { ResultEnvelope } from "../envelope/index.ts";

/** The scope of a key: the same key of another caller, host or capability is another key. */
export interface JournalKey {
  /** The key that the caller gave. */
  readonly key: string;
  /** Id of the caller; empty for the program itself. */
  readonly identity: string;
  /** The upstream that the write goes to. */
  readonly host: string;
  /** The capability that is called. */
  readonly capability: string;
  /** Digest of the input: the same key with other input is a conflict. */
  readonly digest: string;
}

/** The journal's answer when a call with a key begins. */
export type JournalVerdict =
  /** Nobody has it: this call owns it now. */
  | { readonly state: "owned"; readonly lease: JournalLease }
  /** It was settled: the recorded result. */
  | { readonly state: "settled"; readonly result: ResultEnvelope }
  /** Another call has it in flight; ask again, or wait with `join`. */
  | { readonly state: "in_flight"; readonly requestId: string }
  /** It was sent, and its outcome is not known. */
  | ({ readonly state: "unknown" } & UnknownWrite)
  /** The key was used with other input. */
  | { readonly state: "conflict" };

/** A write of unknown outcome under a key. */
export interface UnknownWrite {
  /** The call that sent it. */
  readonly requestId: string;
  /**
   * The result of its call; undefined when the process died before there was one. Absent in that
   * case.
   */
  readonly result?: ResultEnvelope | undefined;
  /** The trail that its call left for a probe. Absent if it left none. */
  readonly trail?: string | undefined;
  /**
   * Present for who may probe now: nobody else may within the next `PROBE_PAUSE_MS`. Absent for
   * everybody else.
   */
  readonly probe?: JournalProbe;
}

/** The right to probe for a write. */
export interface JournalProbe {
  /**
   * Records what was found, unless the write was settled meanwhile: the result of a write that was
   * applied, or that the key is free because it was not.
   */
  resolve(found: ResultEnvelope | "not_applied"): Promise<void>;
}

/** The least time between two probes for one key. */
export const PROBE_PAUSE_MS = 5_000;

/** The right to send under a key. Every step is on disk before it returns. */
export interface JournalLease {
  /** The call that holds the key. */
  readonly requestId: string;
  /** How often the write was begun, from 1. */
  readonly attempt: number;
  /**
   * started → sent; throws when the lease was lost, and then nothing may be sent. The trail is what
   * a probe needs if the outcome stays unknown.
   */
  sent(trail?: string): Promise<void>;
  /** sent → started for another attempt; only when the last one is known not to have applied. */
  again(): Promise<void>;
  /** Records the end. `not_applied` frees the key; everything else is kept. */
  settle(result: ResultEnvelope, outcome: "not_applied" | "applied" | "unknown"): Promise<void>;
}

/** Remembers keyed writes so that none is sent twice, by any process that shares the store. */
export interface Journal {
  /** Throws when the store cannot be written: then a keyed write must be refused. */
  begin(key: JournalKey, requestId: string): Promise<JournalVerdict>;
  /**
   * Waits while the key is in flight and then answers as `begin` would: a key that became free is
   * owned under `requestId`. Throws the signal's reason when it aborts.
   */
  join(key: JournalKey, signal: AbortSignal, requestId: string): Promise<JournalVerdict>;
  /**
   * Why the store could not be used when it was last asked, in a sentence. Read for every write
   * without a key, so it must cost nothing. Absent if the store works.
   */
  readonly problem?: string | undefined;
  /**
   * Finds out whether the store can be used, unless that was found out of late. Never throws
   * (default: the store cannot break).
   */
  check?(): Promise<void>;
  /** Ends what the journal holds open. */
  close(): Promise<void>;
}
