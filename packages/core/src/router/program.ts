import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";

/**
 * How the list of a run decides on a call that needs an approval: it is on the approved list, it has
 * to be put on the list, or everything is put on the list because something before it is. `list` is
 * the digest of the writes that a saved program was approved for.
 */
export interface ListApproval {
  /** The decision of the list. */
  readonly state: "approved" | "asks" | "collects";
  /** Digest of the approved writes (default: none was approved). */
  readonly list?: string | undefined;
}

/** A call that a program makes. */
export interface ProgramCall {
  /** The capability. */
  readonly id: string;
  /** Its inputs. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Journal key of a write (default: none). */
  readonly key?: string | undefined;
  /** How the list of the run decides on it (default: it needs none). */
  readonly approval?: ListApproval | undefined;
  /** The page of a list (default: the first). */
  readonly page?: { readonly cursor?: string; readonly limit?: number } | undefined;
}

/** Limits of the calls that a program makes in one tick. */
export interface ProgramLimits {
  /** Aborts them. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Sends nothing; the answers show what would be sent (default: false). */
  readonly isDry?: boolean | undefined;
}

/** The writes of a run that wait for one approval. */
export interface WaitingList {
  /** Key of the run. */
  readonly key: string;
  /** Digest of the writes. */
  readonly digest: string;
}

/** A request for an approval: its id for a person, and the text that gives it. */
interface ListRequest {
  readonly id: string;
  readonly approve: string;
}

/** A call of a program that its log answered. */
export interface ReplayedCall {
  /** The capability. */
  readonly id: string;
  /** Its inputs. */
  readonly input: unknown;
  /** The answer in the log. */
  readonly result: ResultEnvelope;
}

/** Everything that a running program can ask and call. Its calls are children of the run. */
export interface ProgramHost {
  /** The operations with these ids; all of them without ids. */
  operations(ids?: readonly string[]): Promise<readonly OperationSpec[]>;
  /** Finds capabilities by words. */
  search(
    words: string,
    limit: number,
  ): Promise<readonly { readonly capability_id: string; readonly description: string }[]>;
  /** Calls made in one tick: reads merge, writes keep their order. Answers in the same order. */
  call(calls: readonly ProgramCall[], limits: ProgramLimits): Promise<readonly ResultEnvelope[]>;
  /** Whether only a person may approve, so that no text that approves is given to an agent. */
  readonly isPersonAsked: boolean;
  /**
   * Has a list wait and takes back the request with the id `before`. Undefined if the list is part of
   * another program's list.
   */
  ask(list: WaitingList, shown: unknown, before?: string): Promise<ListRequest | undefined>;
  /** Takes the approval of a list, given by its text or by a person; undefined without one. */
  claim(
    list: WaitingList,
    approve?: string,
  ): Promise<{ settle(outcome: Outcome): Promise<void> } | undefined>;
  /** Tells the observer of calls that were not made, because the log of the run has their answers. */
  noteReplayed(calls: readonly ReplayedCall[]): void;
  /** Tells the observer how the run ended. */
  end(result: ResultEnvelope): void;
}

/** One call of a saved program. */
export interface ProgramRequest {
  /** The program's text. */
  readonly program: string;
  /** The only ids that it may call. */
  readonly calls: readonly string[];
  /** Its input. */
  readonly input: unknown;
  /** Everything that it can ask and call. */
  readonly host: ProgramHost;
  /** Id of the identity that calls; "" for the program around this. */
  readonly caller: string;
  /** Key of the run (default: a new one). */
  readonly key?: string | undefined;
  /** The text that approves its list (default: none). */
  readonly approve?: string | undefined;
  /** Collects all writes and sends none. */
  readonly isDry: boolean;
  /** Collects its writes for the list of the program that calls it. */
  readonly isCollecting: boolean;
  /** Milliseconds since the epoch (default: that of the runner). */
  readonly deadline?: number | undefined;
  /** Aborts the run (default: none). */
  readonly signal?: AbortSignal | undefined;
}

/** Runs saved programs. Answers as `code.run` does: `data.value` is what the program returned. */
export interface ProgramRunner {
  /** Runs one call of a saved program. */
  run(request: ProgramRequest): Promise<ResultEnvelope>;
}
