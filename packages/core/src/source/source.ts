import type { Route } from "../envelope/index.ts";
import type { WordIndex } from "../registry/index.ts";
import type { OperationRun, OperationSpec, OperationSummary, Origin } from "../operation/index.ts";

/** An operation that could not be registered. The other operations of its source were. */
export interface SourceProblem {
  /** The name of the source. */
  readonly source: string;
  /** The id that could not be registered; empty if it is the whole source. */
  readonly operationId: string;
  /** The problem, in a sentence. */
  readonly message: string;
  /** True if nothing of the source could be registered. Absent otherwise. */
  readonly isMissing?: true;
}

/** A suggestion for an id that no operation has. */
export interface IdStep {
  /** The next step, in a sentence. */
  readonly hint: string;
  /** Similar ids. May be empty. */
  readonly ids: readonly string[];
}

/**
 * Provides operations. An adapter implements only this interface. Waybill handles validation,
 * access, deadlines and envelopes.
 */
export interface Source {
  /** The prefix of the source's operation ids, except for cards. */
  readonly name: string;
  /**
   * The route of the source's operations, if it is the same for all (default: each operation says
   * so).
   */
  readonly route?: Route;
  /** Who configured the source (default: the program itself). */
  readonly origin?: Origin;
  /**
   * Whether the ids of the source may be anything, like those of cards (default: false, ids begin
   * with the name of the source).
   */
  readonly anyIds?: boolean;
  /**
   * Whether the operations of the source are a whole API that a pack offers besides its
   * capabilities (default: false).
   */
  readonly raw?: boolean;
  /** Lists the operations in a stable order. Connects or loads only as much as that needs. */
  list(): Promise<readonly OperationSummary[]>;
  /**
   * Loads the data that `describe` and `runOf` need, if `list` did not. Returns whether the
   * result of `list` has changed (default: nothing has to be loaded).
   */
  load?(): Promise<boolean>;
  /** Whether `load` has nothing to do (default: true). */
  readonly isLoaded?: boolean;
  /** The prepared search index of the listed operations, in their order (default: none). */
  wordIndex?(): WordIndex | undefined;
  /**
   * The registered ids that an unknown id may mean, for a source whose users know its operations
   * by other ids. One id is called, several are suggested (default: none).
   */
  meantIds?(id: string, ids: readonly string[]): readonly string[];
  /**
   * A suggestion for an unknown id that users know from another tool, if no operation does the
   * same. No operation is guessed for such an id (default: none).
   */
  stepForId?(id: string): IdStep | undefined;
  /** The full description of a listed operation, computed on request. */
  describe(id: string): OperationSpec;
  /**
   * How a listed operation is run. A handler gets a validated input and returns a plain value or a
   * ResponseEnvelope. For a subscription it returns an async iterable of them. It throws if it
   * fails.
   */
  runOf(id: string): OperationRun;
  /** Problems of operations that the source cannot offer. Known after `list` (default: none). */
  problems?(): readonly SourceProblem[];
  /**
   * Calls the listener when the result of `list` changes. Returns a function that stops this
   * (default: the operations stay the same).
   */
  onChange?(listener: () => void): () => void;
  /** Releases the resources of the source. */
  close(): Promise<void>;
}
