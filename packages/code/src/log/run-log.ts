import type { GuestAnswer } from "../sandbox/index.ts";

/** Identifies a run. Each caller has its own keys. */
export interface RunId {
  readonly key: string;
  readonly caller: string;
}

/** A write of a run and its outcome. */
export interface WriteRecord {
  readonly id: string;
  readonly input: unknown;
  readonly outcome: "applied" | "not_applied" | "unknown";
}

/**
 * A call of one turn, with its answer. A turn is what a program does until it waits for the answers
 * of its calls.
 */
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
  /** The calls of the program's n-th turn. A later line for the same turn replaces this one. */
  | { readonly kind: "round"; readonly turn: number; readonly calls: readonly KeptCall[] }
  /**
   * Writes of a turn that are about to be sent. If no line with their results follows, their
   * outcome is unknown.
   */
  | { readonly kind: "sent"; readonly turn: number; readonly writes: readonly WriteRecord[] }
  /**
   * A list of writes that waits for approval: the text with which the agent approves it, and the
   * request that a person can answer. If a saved program's list is part of another list, it has no
   * request of its own.
   */
  | {
      readonly kind: "waiting";
      readonly approval: string;
      readonly writes: readonly string[];
      readonly request?: { readonly id: string; readonly approve: string };
    }
  /** The log became too large. Later lines were not stored. */
  | { readonly kind: "cut" }
  | { readonly kind: "end" };

/** Stores the calls of runs, so that any process can repeat or resume a run. */
export interface RunLog {
  /**
   * Claims a run for this process until it is released. Throws NOT_READY while another process has
   * it. A claim ends if its process died or its time is over.
   */
  claim(run: RunId, until: number): Promise<ClaimedRun>;
}

export interface ClaimedRun {
  /** The stored lines in order; empty for a run that is new or too old. */
  readonly lines: readonly LogLine[];
  /** Appends a line. Resolves to the length of the line. */
  append(line: LogLine): Promise<number>;
  /** Deletes the stored lines of the run. */
  remove(): Promise<void>;
  release(): Promise<void>;
}

/** How long a run is stored after its last call. The journal stores writes for the same time. */
export const KEEP_MS = 86_400_000;
/** Size limit of one run. A longer run cannot be resumed. */
export const MAX_RUN_CHARS = 16_000_000;
