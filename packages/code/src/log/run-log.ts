import type { GuestAnswer } from "../sandbox/index.ts";

/** Which run: a key belongs to its caller. */
export interface RunId {
  readonly key: string;
  readonly caller: string;
}

/** A write of a run and what became of it. */
export interface WriteRecord {
  readonly id: string;
  readonly input: unknown;
  readonly outcome: "applied" | "not_applied" | "unknown";
}

/** A call of a round, and how it was answered. */
export interface KeptCall {
  /** Digest of the call's name and arguments. */
  readonly digest: string;
  readonly answer: GuestAnswer;
  readonly write?: WriteRecord;
}

export type LogLine =
  | {
      readonly kind: "run";
      readonly program: string;
      readonly input?: unknown;
      readonly now: number;
      readonly seed: number;
    }
  /** The calls of the program's n-th turn; a later line for the same turn takes its place. */
  | { readonly kind: "round"; readonly turn: number; readonly calls: readonly KeptCall[] }
  /** Writes of a turn that are sent now. Without a round after it, nothing more is known of them. */
  | { readonly kind: "sent"; readonly turn: number; readonly writes: readonly WriteRecord[] }
  /**
   * A list of writes that waits for approval: the text that the agent passes back, and the request
   * that a person can answer. A saved program's list that is part of another list has no request.
   */
  | {
      readonly kind: "waiting";
      readonly approval: string;
      readonly writes: readonly string[];
      readonly request?: { readonly id: string; readonly approve: string };
    }
  /** The log was too large; what came after this was not kept. */
  | { readonly kind: "cut" }
  | { readonly kind: "end" };

/** Keeps the calls of runs, so that a run can be repeated and resumed, by any process. */
export interface RunLog {
  /**
   * Claims a run for this process until it is released. Throws NOT_READY while another has it; a
   * claim of a process that died, or whose time is up, does not count.
   */
  claim(run: RunId, until: number): Promise<ClaimedRun>;
}

export interface ClaimedRun {
  /** The kept lines in order; empty for a run that is new or too old. */
  readonly lines: readonly LogLine[];
  /** Resolves to the length of the line. */
  append(line: LogLine): Promise<number>;
  /** Forgets the run. */
  remove(): Promise<void>;
  release(): Promise<void>;
}

/** How long a run is kept after its last call; as long as the journal keeps its writes. */
export const KEEP_MS = 86_400_000;
/** Limit for one run; a longer one cannot be resumed. */
export const MAX_RUN_CHARS = 16_000_000;
