import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";

/**
 * The decision about a program's call that needs an approval. The writes of a program are
 * approved together, as one list. `approved`: the approved list contains the call. `asks`: the
 * call is added to the list to approve. `collects`: an earlier call waits for an approval, so this
 * call is added to the list too and is not sent.
 */
export interface ListApproval {
  /** The decision. */
  readonly state: "approved" | "asks" | "collects";
  /** Digest of the approved writes (default: none was approved). */
  readonly list?: string | undefined;
}

/** A call made by a program. */
export interface ProgramCall {
  /** The capability. */
  readonly id: string;
  /** The inputs of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Journal key of a write (default: none). */
  readonly key?: string | undefined;
  /** The decision on this call (default: no approval is needed). */
  readonly approval?: ListApproval | undefined;
  /** The page of a list (default: the first). */
  readonly page?: { readonly cursor?: string; readonly limit?: number } | undefined;
}

/** Limits of the calls that a program makes at the same time. */
export interface ProgramLimits {
  /** Aborts the calls. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Sends nothing. The answers show what would be sent (default: false). */
  readonly isDry?: boolean | undefined;
}

/** The writes of a run that wait for one approval. */
export interface WaitingList {
  /** Key of the run. */
  readonly key: string;
  /** Digest of the writes. */
  readonly digest: string;
}

/** A request for an approval: its id, for a person to approve, and the token that approves it. */
interface ListRequest {
  readonly id: string;
  readonly approve: string;
  /** Whether a person has denied the same list in the last 24 hours. */
  readonly isDenied: boolean;
}

/** A call of a program that was answered from the log of the run. */
export interface ReplayedCall {
  /** The capability. */
  readonly id: string;
  /** The inputs of the call. */
  readonly input: unknown;
  /** The answer in the log. */
  readonly result: ResultEnvelope;
}

/** A capability that a search found. */
export interface FoundSignature {
  /** The capability. */
  readonly id: string;
  /** The inputs and outputs of the capability in a line. */
  readonly signature: string;
  /** The description of the capability. */
  readonly description: string;
}

/** Everything that a running program can use. Its calls belong to the run. */
export interface ProgramHost {
  /** The operations with these ids, or all operations if no ids are given. */
  operations(ids?: readonly string[]): Promise<readonly OperationSpec[]>;
  /** Finds capabilities by words, like a brief search. */
  search(words: string): Promise<readonly FoundSignature[]>;
  /** Known ids that are similar to a wrong one, best first. */
  nearest(id: string): readonly string[];
  /**
   * Runs calls that were made at the same time. Reads are merged, writes keep their order, and
   * the answers have the order of the calls.
   */
  call(calls: readonly ProgramCall[], limits: ProgramLimits): Promise<readonly ResultEnvelope[]>;
  /** Whether only a person may approve. Then an agent gets no approval token. */
  readonly isPersonAsked: boolean;
  /**
   * Requests an approval for a list, and withdraws the request with the id `before`. Returns
   * undefined if the list is part of another program's list.
   */
  ask(list: WaitingList, shown: unknown, before?: string): Promise<ListRequest | undefined>;
  /**
   * Uses the approval of a list, given by a token or by a person. Returns undefined if there is
   * none.
   */
  claim(
    list: WaitingList,
    approve?: string,
  ): Promise<{ settle(outcome: Outcome): Promise<void> } | undefined>;
  /** Whether a person has denied the list, and it was not requested again since. */
  isDenied(list: WaitingList): Promise<boolean>;
  /** Reports calls to the observer that were answered from the log and not sent. */
  noteReplayed(calls: readonly ReplayedCall[]): void;
  /** Reports the end of the run to the observer. */
  end(result: ResultEnvelope): void;
}

/** One call of a saved program. */
export interface ProgramRequest {
  /** The program's text. */
  readonly program: string;
  /** The only ids that the program may call. */
  readonly calls: readonly string[];
  /** The input of the program. */
  readonly input: unknown;
  /** Everything that the program can use. */
  readonly host: ProgramHost;
  /** Id of the calling identity; "" for the program that hosts Waybill. */
  readonly caller: string;
  /** How deeply programs are nested around the call. */
  readonly depth: number;
  /** Key of the run (default: a new one). */
  readonly key?: string | undefined;
  /** The token that approves the list of writes (default: none). */
  readonly approve?: string | undefined;
  /** Collects all writes and sends none. */
  readonly isDry: boolean;
  /** Adds the writes of the program to the list of the program that calls it. */
  readonly isCollecting: boolean;
  /** Milliseconds since the epoch (default: the runner's own deadline). */
  readonly deadline?: number | undefined;
  /** Aborts the run (default: it cannot be aborted). */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs saved programs. The answer is that of `code.run`: `data.value` is the return value of the
 * program.
 */
export interface ProgramRunner {
  /** Runs one call of a saved program. */
  run(request: ProgramRequest): Promise<ResultEnvelope>;
}
