import type { CallError, ResultEnvelope } from "../envelope/index.ts";
import type { Identity } from "../operation/index.ts";
import type { SourceProblem } from "../source/index.ts";

/** A finished call as an observer sees it. */
export interface CallRecord {
  readonly request_id: string;
  readonly capability_id: string;
  readonly params: unknown;
  readonly identity: Identity | undefined;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly envelope: ResultEnvelope;
  /** The failure with its cause, which the envelope keeps from the caller; secrets are taken out. */
  readonly error: CallError | undefined;
}

/** Sees calls end. Whatever it throws is ignored: watching never changes an answer. */
export interface Observer {
  onCall?(record: CallRecord): void;
  /** A source, or one of its operations, could not be taken in. */
  onProblem?(problem: SourceProblem): void;
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
