import type { CallError, Outcome, ResultEnvelope } from "../../envelope/index.ts";
import type { Effect, Identity } from "../../operation/index.ts";
import type { TimelineEntry } from "../../router/index.ts";
import type { SourceProblem } from "../../source/index.ts";
import type { ExecuteOptions } from "../options/execute-options.ts";

/** A finished call as an observer sees it. It does not depend on the options of the caller. */
export interface CallRecord {
  /** The id of the call. */
  readonly request_id: string;
  /** The id of the call that made this call: a chain, a card with steps, or a handler. */
  readonly parent_id: string | undefined;
  /**
   * A chain is reported after its steps, as a call of `chain` whose data is the chain's result. A
   * program is reported as `code` after its calls. Calls that were answered from its log are
   * `replayed`; calls that wait for an approval are `waiting`.
   */
  readonly kind: "call" | "chain" | "step" | "code" | "replayed" | "waiting";
  /** The capability that was called. */
  readonly capability_id: string;
  /** The source of the capability; undefined for an operation of the program. */
  readonly source: string | undefined;
  /** The effect of the operation. Undefined if the operation was not found. */
  readonly effect: Effect | undefined;
  /** The input, without secrets. */
  readonly params: unknown;
  /** The options that are needed to repeat the call. */
  readonly options: Readonly<Partial<ExecuteOptions>>;
  /** The caller; undefined for the program itself. */
  readonly identity: Identity | undefined;
  /** When the call was received, in milliseconds since the epoch. */
  readonly started_at: number;
  /** Milliseconds from request to answer. */
  readonly duration_ms: number;
  /** The answer, without secrets. */
  readonly envelope: ResultEnvelope;
  /**
   * The error with its cause, without secrets. The envelope does not show the cause to the caller.
   */
  readonly error: CallError | undefined;
  /** Every attempt, skip and wait. */
  readonly timeline: readonly TimelineEntry[];
  /** Requests that were sent upstream; undefined for an operation without routes. */
  readonly upstream_requests: number | undefined;
  /** Bytes of the upstream's response, or of a local answer, before anything was removed. */
  readonly raw_bytes: number | undefined;
  /** The rate limit of the upstream; undefined if it said nothing. */
  readonly rate_limit: RateLimitState | undefined;
  /**
   * For writes: the outcome, and whether the call had an idempotency key and is therefore in the
   * journal.
   */
  readonly journal: { readonly outcome: Outcome; readonly keyed: boolean } | undefined;
}

/** The rate limit that an upstream reported. */
export interface RateLimitState {
  /** Requests that are left in this period. */
  readonly remaining: number;
  /** Requests in one period. Absent if the upstream did not say. */
  readonly limit?: number;
  /**
   * When the limit is reset, in milliseconds since the epoch. Absent if the upstream did not say.
   */
  readonly reset_at?: number;
}

/**
 * Receives finished calls. Errors that `onCall` and `onProblem` throw are ignored, so that
 * observing never changes an answer.
 */
export interface Observer {
  /** Called when a call has ended (default: none). */
  onCall?(record: CallRecord): void;
  /** Called if a source, or one of its operations, could not be loaded (default: none). */
  onProblem?(problem: SourceProblem): void;
  /**
   * Returns why no write may be made now, such as a full write log. Called before every write
   * (default: writes are allowed).
   */
  refuseWrite?(): CallError | undefined;
}

/** Calls the observer. Its errors are ignored, also those of a returned promise. */
export function notify(report: () => unknown): void {
  try {
    const reported = report();
    if (reported instanceof Promise) reported.catch(() => {});
  } catch {
    // Ignored, because observing never changes an answer.
  }
}
