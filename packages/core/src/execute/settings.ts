import type { HandleStore } from "../budget/index.ts";
import type { ApprovalDesk } from "../policy/index.ts";
import type { Catalogue, Registry } from "../registry/index.ts";
import type { Journal, RetryPolicy, SteppedOperation } from "../router/index.ts";
import type { Observer } from "./answer/observer.ts";
import type { Call } from "./call/call.ts";
import type { Redactor } from "./redaction/index.ts";

/** Runs the steps of an operation that is made of them. */
export interface StepsRunner {
  /** Ends the call as the steps ended. */
  run(settings: Settings, call: Call, steps: SteppedOperation): Promise<void>;
  /** What the steps would send. */
  describe(settings: Settings, call: Call, steps: SteppedOperation): Promise<readonly object[]>;
}

/** What every call of one Waybill, or of one registry, is made with. */
export interface Settings extends ApprovalDesk {
  readonly registry: Catalogue;
  /** The same operations, to be called: by handlers, and by subscriptions. */
  readonly calls: Registry;
  readonly observer: Observer | undefined;
  /** What lists show; undefined where each operation says so itself. */
  readonly expose: readonly string[] | undefined;
  /** Remembers keyed writes. */
  readonly journal: Journal | undefined;
  /** Whether a keyed write is refused without a journal; else its key is the handler's affair. */
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
  /** Handed in, for the steps are calls again. */
  readonly steps: StepsRunner;
}

/** Whether an observer is told of calls. */
export function isWatched({ observer }: Settings): boolean {
  return observer?.onCall !== undefined;
}
