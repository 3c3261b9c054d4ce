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
  /** Local functions. Their schemas type the calls (default: none). */
  readonly operations?: Operations;
  /** APIs, MCP servers and other sources. They are loaded when first needed (default: none). */
  readonly sources?: Sources;
  /** Receives every finished call (default: none). */
  readonly observer?: Observer;
  /** Rules about what may be called (default: everything). */
  readonly policy?: Policy;
  /**
   * The capabilities that lists show, by patterns such as `issue.*` (default: all that are
   * `exposed`). The others can still be found by search and called.
   */
  readonly expose?: readonly string[];
  /** Records keyed writes, so that none is sent twice (default: none). */
  readonly journal?: Journal;
  /** Stores data that a token limit removed. `result.read` returns it (default: none). */
  readonly handles?: HandleStore;
  /** Stores calls that wait for an approval (default: in memory). */
  readonly approvals?: ApprovalStore;
  /** Ids of a pack that sources of the user's configuration may replace (default: none). */
  readonly replace?: readonly string[];
  /**
   * Text that is added to the error for an unknown id, such as which configuration was read
   * (default: none).
   */
  readonly missingHint?: string;
  /**
   * How often and how fast a failed request is repeated (default: 3 attempts, 200 ms to 5 s apart).
   */
  readonly retry?: Partial<RetryPolicy>;
  /** Secret values that must never appear in output, in any encoding (default: none). */
  readonly secrets?: () => Iterable<string>;
  /**
   * Folders of this machine. Errors and warnings show paths inside them as relative paths, for
   * callers on other machines (default: none).
   */
  readonly hiddenFolders?: readonly string[];
  /** The identity of the caller (default: the program itself, which is trusted). */
  readonly identity?: Identity;
}

const anObject: Check = (value) => (isRecord(value) ? undefined : "must be an object");
const aListOfObjects: Check = (value) =>
  Array.isArray(value) && value.every((each) => isRecord(each)) ? undefined : "must be a list";
const aText: Check = (value) => (typeof value === "string" ? undefined : "must be a string");
const aListOfTexts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string")
    ? undefined
    : "must be a list of strings";
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
    hiddenFolders: aListOfTexts,
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

/** Copies and checks the options, because an invalid rule could allow what it should forbid. */
export function checkedOptions(given: WaybillOptions | undefined): WaybillOptions {
  const options = readOptions(given);
  refuseIssues([
    ...optionIssues(options, WAYBILL),
    ...issuesWithin(options.policy, POLICY, "/policy"),
    ...issuesWithin(options.retry, RETRY, "/retry"),
  ]);
  return options;
}
