import type { CallError, Outcome, ResultEnvelope } from "../../envelope/index.ts";
import type { Effect, Identity } from "../../operation/index.ts";
import type { TimelineEntry } from "../../router/index.ts";
import type { SourceProblem } from "../../source/index.ts";
import type { ExecuteOptions } from "../options/execute-options.ts";

/** A finished call as an observer sees it, whatever its caller asked to be shown. */
export interface CallRecord {
  /** The id of the call. */
  readonly request_id: string;
  /** The call in which it was made: a chain, a card of steps, a handler. */
  readonly parent_id: string | undefined;
  /**
   * A chain is reported after its steps, as a call of `chain` whose data is the chain's result. A
   * program is reported as `code` after its calls, of which some were not made: its log answered
   * them, or they wait for an approval.
   */
  readonly kind: "call" | "chain" | "step" | "code" | "replayed" | "waiting";
  /** The capability that was called. */
  readonly capability_id: string;
  /** The source of the capability; undefined for an operation of the program. */
  readonly source: string | undefined;
  /** Undefined where nothing was found to call. */
  readonly effect: Effect | undefined;
  /** The input, without secrets. */
  readonly params: unknown;
  /** The options that make it the same call when it is repeated. */
  readonly options: Readonly<Partial<ExecuteOptions>>;
  /** Who called; undefined for the program itself. */
  readonly identity: Identity | undefined;
  /** When it came in, in milliseconds since the epoch. */
  readonly started_at: number;
  /** Milliseconds from request to answer. */
  readonly duration_ms: number;
  /** The answer, without secrets. */
  readonly envelope: ResultEnvelope;
  /** The failure with its cause, which the envelope keeps from the caller; secrets are removed. */
  readonly error: CallError | undefined;
  /** Every try, skip and wait. */
  readonly timeline: readonly TimelineEntry[];
  /** Requests that were sent upstream; undefined if it has no routes. */
  readonly upstream_requests: number | undefined;
  /** How much the upstream sent, or a local answer was, before anything was left out. */
  readonly raw_bytes: number | undefined;
  /** The rate limit of the upstream; undefined if it said nothing. */
  readonly rate_limit: RateLimitState | undefined;
  /** For writes: the outcome, and whether the journal holds it. */
  readonly journal: { readonly outcome: Outcome; readonly keyed: boolean } | undefined;
}

/** The rate limit that an upstream reported. */
export interface RateLimitState {
  /** Requests that will still be answered. */
  readonly remaining: number;
  /** Requests in one period. Absent if the upstream did not say. */
  readonly limit?: number;
  /** In milliseconds since the epoch. Absent if the upstream did not say. */
  readonly reset_at?: number;
}

/** Sees calls end. Whatever `onCall` and `onProblem` throw is ignored: watching changes no answer. */
export interface Observer {
  /** Told of every call when it has ended (default: none). */
  onCall?(record: CallRecord): void;
  /** A source, or one of its operations, could not be taken in (default: none). */
  onProblem?(problem: SourceProblem): void;
  /**
   * Why no write may be made now, such as a log of writes that is full. Asked before every write
   * (default: writes may be made).
   */
  refuseWrite?(): CallError | undefined;
}

/** An observer's failure is its own, also when it comes later. */
export function notify(report: () => unknown): void {
  try {
    const reported = report();
    if (reported instanceof Promise) reported.catch(() => {});
  } catch {
    // As above.
  }
}
