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

/** Runs the steps of an operation that is made of them. */
export interface StepsRunner {
  /** Ends the call as the steps ended. */
  run(settings: Settings, call: Call, steps: SteppedOperation): Promise<void>;
  /** The requests that the steps would send. */
  describe(settings: Settings, call: Call, steps: SteppedOperation): Promise<readonly object[]>;
}

/** Runs saved programs. */
export interface ProgramsRunner {
  /** Ends the call as the program ended. */
  run(settings: Settings, call: Call, program: CodeOperation): Promise<void>;
  /** The writes that the program would make. */
  describe(settings: Settings, call: Call, program: CodeOperation): Promise<readonly object[]>;
}

/** Settings of one Waybill, or of one registry, for all its calls. */
export interface Settings extends ApprovalDesk {
  readonly registry: Catalogue;
  /** The same operations, to be called: by handlers, and by subscriptions. */
  readonly calls: Registry;
  readonly observer: Observer | undefined;
  /** Patterns of the ids that lists show; undefined: each operation says so itself. */
  readonly expose: readonly string[] | undefined;
  /** Remembers keyed writes. */
  readonly journal: Journal | undefined;
  /** Whether a keyed write is refused without a journal. Otherwise the handler gets the key. */
  readonly isJournalNeeded: boolean;
  /** Keeps what a budget cut. */
  readonly handles: HandleStore | undefined;
  readonly retry: RetryPolicy;
  readonly redactor: Redactor;
  /** Makes these ids known, see Sources; undefined when there is nothing to load for that. */
  readonly toLoad: (
    ids: readonly string[],
    allWithin?: number,
  ) => (() => Promise<void>) | undefined;
  /** Passed in, because steps are calls again and would import this in a circle. */
  readonly steps: StepsRunner;
  readonly programs: ProgramsRunner;
  /** Questions that programs may ask. */
  readonly questions: Pick<ProgramHost, "operations" | "search">;
}

/** Who is told of a call, besides the reader of its answer. */
export function readerFor({ observer }: Settings, own: Reader): Reader {
  return observer?.onCall === undefined ? own : "observer";
}
