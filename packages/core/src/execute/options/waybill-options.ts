import type { HandleStore } from "../../budget/index.ts";
import { isRecord } from "../../envelope/index.ts";
import type { Issue } from "../../envelope/index.ts";
import type { Identity, Operation } from "../../operation/index.ts";
import { patterns } from "../../policy/index.ts";
import type { ApprovalStore, Policy } from "../../policy/index.ts";
import type { RegistryOptions } from "../../registry/index.ts";
import type { Journal, RetryPolicy } from "../../router/index.ts";
import type { Source } from "../../source/index.ts";
import { aBoolean, choiceCheck, optionIssues, readOptions, refuseIssues } from "./check-options.ts";
import type { Check, KnownOptions } from "./check-options.ts";
import type { Observer } from "../answer/observer.ts";

/** Options of createWaybill. All are optional. */
export interface WaybillOptions<
  Operations extends readonly Operation[] = readonly Operation[],
  Sources extends readonly Source[] = readonly Source[],
> extends RegistryOptions {
  /** Local functions. Calls of them are typed by their schemas (default: none). */
  readonly operations?: Operations;
  /** Everything else; loaded when first needed (default: none). */
  readonly sources?: Sources;
  /** Is told of every call (default: none). */
  readonly observer?: Observer;
  /** Rules about what may be called (default: everything). */
  readonly policy?: Policy;
  /**
   * The capabilities that lists show, by patterns such as `issue.*` (default: all that are
   * `exposed`). The others can be searched and called.
   */
  readonly expose?: readonly string[];
  /** Remembers keyed writes, so that none is sent twice (default: none). */
  readonly journal?: Journal;
  /** Keeps what a budget cut, to be read on with `result.read` (default: none). */
  readonly handles?: HandleStore;
  /** Keeps the calls that wait for an approval (default: in this process). */
  readonly approvals?: ApprovalStore;
  /** Ids of packs that sources of the user's configuration take over (default: none). */
  readonly replace?: readonly string[];
  /** Said to who calls an id that nobody has, such as which configuration was read (default: none). */
  readonly missingHint?: string;
  /**
   * How often and how fast a failed request is repeated (default: 3 attempts, 200 ms to 5 s apart).
   */
  readonly retry?: Partial<RetryPolicy>;
  /** Values that must appear nowhere, whatever they look like (default: none). */
  readonly secrets?: () => Iterable<string>;
  /** Who calls (default: the program itself, which is trusted). */
  readonly identity?: Identity;
}

const anObject: Check = (value) => (isRecord(value) ? undefined : "must be an object");
const aListOfObjects: Check = (value) =>
  Array.isArray(value) && value.every((each) => isRecord(each)) ? undefined : "must be a list";
const aText: Check = (value) => (typeof value === "string" ? undefined : "must be a string");
const aFunction: Check = (value) =>
  typeof value === "function" ? undefined : "must be a function";
const aNumber: Check = (value) =>
  typeof value === "number" && value >= 0 ? undefined : "must be a number of at least 0";

const WAYBILL: KnownOptions = {
  checks: {
    operations: aListOfObjects,
    sources: aListOfObjects,
    observer: anObject,
    policy: anObject,
    expose: patterns,
    journal: anObject,
    handles: anObject,
    approvals: anObject,
    replace: patterns,
    missingHint: aText,
    retry: anObject,
    secrets: aFunction,
    identity: anObject,
    schemas: anObject,
  } satisfies Record<keyof WaybillOptions, Check>,
  kind: "an option of a Waybill",
};

const POLICY: KnownOptions = {
  checks: {
    read_only: aBoolean,
    allow: patterns,
    deny: patterns,
    raw: patterns,
    confirm: choiceCheck(["none", "destructive", "writes"]),
    approvals: choiceCheck(["agent", "person"]),
  } satisfies Record<keyof Policy, Check>,
  kind: "a rule of a policy",
};

const RETRY: KnownOptions = {
  checks: {
    maxAttempts: aNumber,
    baseDelayMs: aNumber,
    maxDelayMs: aNumber,
    maxWaitMs: aNumber,
    random: aFunction,
  } satisfies Record<keyof RetryPolicy, Check>,
  kind: "part of a retry policy",
};

function issuesWithin(part: unknown, known: KnownOptions, at: string): Issue[] {
  return isRecord(part) ? optionIssues(part, known, at) : [];
}

/** A copy of what a Waybill is made with. A rule that would be misread lets pass what it forbids. */
export function checkedOptions(given: WaybillOptions | undefined): WaybillOptions {
  const options = readOptions(given);
  refuseIssues([
    ...optionIssues(options, WAYBILL),
    ...issuesWithin(options.policy, POLICY, "/policy"),
    ...issuesWithin(options.retry, RETRY, "/retry"),
  ]);
  return options;
}
