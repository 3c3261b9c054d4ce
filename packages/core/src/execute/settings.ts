import type { HandleStore } from "../budget/index.ts";
import type { ChainStep } from "../cards/index.ts";
import type { Identity, OperationSpec } from "../operation/index.ts";
import type { OperationRegistry } from "../registry/index.ts";
import type { ChainResult, Journal, RetryPolicy } from "../router/index.ts";
import type { ApprovalDesk } from "../policy/index.ts";
import type { ChainOptions } from "./chain-options.ts";
import type { Watched } from "./call-state.ts";
import type { Observer } from "./observer.ts";
import type { Redactor } from "./redaction/index.ts";

/** Many calls in one go. */
export interface ChainRequest {
  readonly steps: readonly ChainStep[];
  readonly options: ChainOptions;
  readonly identity: Identity | undefined;
  /** The params of the call that is made of these steps. It was approved as a whole. */
  readonly params?: object;
  /** That call, where somebody watches. */
  readonly parentId?: string | undefined;
}

/** What every call of one Waybill is done with. */
export interface Settings extends ApprovalDesk {
  readonly registry: OperationRegistry;
  readonly observer: Observer | undefined;
  /** What lists show; undefined where each operation says so itself. */
  readonly expose: readonly string[] | undefined;
  /** Remembers keyed writes; without one they are refused. */
  readonly journal: Journal | undefined;
  /** Keeps what a budget cut. */
  readonly handles: HandleStore | undefined;
  readonly retry: RetryPolicy;
  readonly redactor: Redactor;
  /** Makes these ids known, see Sources; undefined when there is nothing to load for that. */
  readonly toLoad: (
    ids: readonly string[],
    allWithin?: number,
  ) => (() => Promise<void>) | undefined;
  /** The chain, for the calls that are made of steps. */
  readonly chain: (request: ChainRequest) => Promise<ChainResult>;
}

/** How a call is reported; undefined where nobody watches calls. */
export function watchedAs(
  { observer }: Settings,
  kind: Watched["kind"],
  parentId?: string,
): Watched | undefined {
  return observer?.onCall === undefined ? undefined : { kind, parentId };
}

/** Whether who calls must be told when the journal is broken: of writes, where it can break. */
export function isTold(journal: Journal | undefined, { effect }: OperationSpec): boolean {
  return effect !== "read" && journal?.check !== undefined;
}
