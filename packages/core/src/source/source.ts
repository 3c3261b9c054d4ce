import type { Route } from "../envelope/index.ts";
import type { WordIndex } from "../registry/index.ts";
import type { OperationRun, OperationSpec, OperationSummary, Origin } from "../operation/index.ts";

/** An operation that could not be taken in; the rest of its source was. */
export interface SourceProblem {
  /** The name of the source. */
  readonly source: string;
  /** The id that could not be taken in; empty if it is the source as a whole. */
  readonly operationId: string;
  /** The problem, in a sentence. */
  readonly message: string;
  /** Nothing of the source could be taken in. Absent if the source is there. */
  readonly isMissing?: true;
}

/**
 * Something that yields operations. An adapter implements this and nothing more: everything
 * around a call (validation, access, deadlines, envelopes) happens outside it, once.
 */
export interface Source {
  /** The prefix of its operation ids, except for cards. */
  readonly name: string;
  /**
   * How its operations are called, where all are called the same way (default: each operation says
   * so).
   */
  readonly route?: Route;
  /** Who put it here (default: the program itself). */
  readonly origin?: Origin;
  /**
   * Whether its ids may be any, as those of cards are (default: false, ids begin with the name of
   * the source).
   */
  readonly anyIds?: boolean;
  /** Whether its operations are a whole API below the capabilities of a pack (default: false). */
  readonly raw?: boolean;
  /** The operations, in a stable order. Connects or loads only what is needed. */
  list(): Promise<readonly OperationSummary[]>;
  /**
   * Reads what `describe` and `runOf` need, where `list` did without; says whether `list` changed
   * (default: nothing has to be loaded).
   */
  load?(): Promise<boolean>;
  /** Whether `load` has nothing to read (default: true). */
  readonly isLoaded?: boolean;
  /**
   * The words of the operations that were listed, in their order, where they were indexed before
   * (default: none).
   */
  wordIndex?(): WordIndex | undefined;
  /** All there is to know of one operation that was listed; computed when it is requested. */
  describe(id: string): OperationSpec;
  /**
   * How an operation that was listed is done. A handler gets a checked input and returns the raw
   * value or a ResponseEnvelope, or for a subscription an async iterable of either; it throws when
   * it fails.
   */
  runOf(id: string): OperationRun;
  /** The operations it cannot offer, known after a listing (default: none). */
  problems?(): readonly SourceProblem[];
  /**
   * Calls back when `list` would answer differently from now on, for a source whose operations come
   * and go while it is used. Returns how to stop (default: its operations stay the same).
   */
  onChange?(listener: () => void): () => void;
  /** Ends what the source holds open. */
  close(): Promise<void>;
}
