import type { Route } from "../envelope/index.ts";
import type { WordIndex } from "../registry/index.ts";
import type { OperationRun, OperationSpec, OperationSummary, Origin } from "../operation/index.ts";

/** An operation that could not be registered. The rest of its source was. */
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

/**
 * Provides operations. An adapter implements only this: validation, access, deadlines and envelopes
 * are handled outside, in one place.
 */
export interface Source {
  /** The prefix of its operation ids, except for cards. */
  readonly name: string;
  /** The route of its operations, if it is the same for all (default: each operation says so). */
  readonly route?: Route;
  /** Who configured it (default: the program itself). */
  readonly origin?: Origin;
  /**
   * Whether its ids may be anything, like those of cards (default: false, ids begin with the name
   * of the source).
   */
  readonly anyIds?: boolean;
  /** Whether its operations are a whole API besides the capabilities of a pack (default: false). */
  readonly raw?: boolean;
  /** Lists the operations in a stable order. Connects to or loads only what is needed. */
  list(): Promise<readonly OperationSummary[]>;
  /**
   * Loads what `describe` and `runOf` need, if `list` did not. Returns whether `list` has changed
   * (default: nothing has to be loaded).
   */
  load?(): Promise<boolean>;
  /** Whether `load` has nothing to read (default: true). */
  readonly isLoaded?: boolean;
  /** The prepared search index of the listed operations, in their order (default: none). */
  wordIndex?(): WordIndex | undefined;
  /**
   * Which of its registered ids an unknown id means, for a source whose users know its things by
   * other ids. One is called, several are suggested (default: none).
   */
  meantIds?(id: string, ids: readonly string[]): readonly string[];
  /** The full description of a listed operation, computed on request. */
  describe(id: string): OperationSpec;
  /**
   * How a listed operation is run. A handler gets a validated input and returns a plain value or a
   * ResponseEnvelope. For a subscription it returns an async iterable of them. It throws if it
   * fails.
   */
  runOf(id: string): OperationRun;
  /** The operations that it cannot offer, known after `list` (default: none). */
  problems?(): readonly SourceProblem[];
  /**
   * Calls the listener when the result of `list` changes, for a source whose operations come and
   * go. Returns a function that stops it (default: its operations stay the same).
   */
  onChange?(listener: () => void): () => void;
  /** Releases the resources of the source. */
  close(): Promise<void>;
}
