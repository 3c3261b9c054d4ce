import type { HandleStore } from "../budget/index.ts";
import type { ApprovalDesk } from "../policy/index.ts";
import type { Catalogue, Registry } from "../registry/index.ts";
import type {
  CodeOperation,
  Journal,
  ProgramHost,
  RetryPolicy,
  SteppedOperation,
} from "../router/index.ts";
import type { Observer } from "./answer/observer.ts";
import type { Call, Reader } from "./call/call.ts";
import type { Redactor } from "./redaction/index.ts";

/** Runs operations that consist of steps. */
export interface StepsRunner {
  /** Runs the steps and sets the result of the call. */
  run(settings: Settings, call: Call, steps: SteppedOperation): Promise<void>;
  /** The requests that the steps would send. */
  describe(settings: Settings, call: Call, steps: SteppedOperation): Promise<readonly object[]>;
}

/** Runs saved programs. */
export interface ProgramsRunner {
  /** Runs the program and sets the result of the call. */
  run(settings: Settings, call: Call, program: CodeOperation): Promise<void>;
  /** The writes that the program would make. */
  describe(settings: Settings, call: Call, program: CodeOperation): Promise<readonly object[]>;
}

/** The settings that all calls of one Waybill or one registry share. */
export interface Settings extends ApprovalDesk {
  readonly registry: Catalogue;
  /**
   * The operations of these settings, in the form in which handlers and subscriptions call them.
   */
  readonly calls: Registry;
  readonly observer: Observer | undefined;
  /** Patterns of the ids that lists show. If undefined, the operation's `exposed` decides. */
  readonly expose: readonly string[] | undefined;
  /** Records keyed writes. */
  readonly journal: Journal | undefined;
  /**
   * Whether a keyed write is refused if there is no journal. If false, the handler gets the key.
   */
  readonly isJournalNeeded: boolean;
  /** Keeps data that a token limit removed. */
  readonly handles: HandleStore | undefined;
  readonly retry: RetryPolicy;
  readonly redactor: Redactor;
  /** Loads the sources of these ids, see `Sources`. Undefined if nothing has to be loaded. */
  readonly toLoad: (
    ids: readonly string[],
    allWithin?: number,
  ) => (() => Promise<void>) | undefined;
  /** Passed in to avoid a circular import, because running steps makes calls again. */
  readonly steps: StepsRunner;
  readonly programs: ProgramsRunner;
  /** The lists and searches that programs may use. */
  readonly questions: Pick<ProgramHost, "operations" | "search" | "nearest">;
}

/** The reader of a call: an observer if there is one, otherwise the given reader. */
export function readerFor({ observer }: Settings, own: Reader): Reader {
  return observer?.onCall === undefined ? own : "observer";
}
