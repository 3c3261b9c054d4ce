import { subscribeWith } from "../calls/index.ts";
import type { SubscribeOptions } from "../calls/index.ts";
import { fail, successResult } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { Identity, OperationSpec } from "../operation/index.ts";
import { claimApproval } from "../policy/index.ts";
import { failure } from "./answer/answer.ts";
import { report } from "./answer/report.ts";
import { Call } from "./call/call.ts";
import { aText, optionIssues, readOptions, refuseIssues } from "./options/check-options.ts";
import type { Check, KnownOptions } from "./options/check-options.ts";
import { EXECUTE_CHECKS } from "./options/execute-options.ts";
import { readerFor } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** The options of a subscription. The Waybill sets the identity. */
export interface WatchOptions extends Pick<
  SubscribeOptions,
  "deadline" | "idleTimeout" | "signal"
> {
  /** The account of the source to use (default: its own). */
  readonly account?: string;
  /** The approval token from a refusal, passed back after a person has agreed (default: none). */
  readonly approve?: string;
  /**
   * Refuses an operation that is not a subscription, instead of calling it once (default: false).
   */
  readonly strict?: boolean;
}

const CHECKS: Readonly<Record<keyof WatchOptions, Check>> = {
  deadline: (value) => (typeof value === "number" ? undefined : "must be a number"),
  idleTimeout: (value) => (typeof value === "number" ? undefined : "must be a number"),
  signal: EXECUTE_CHECKS.signal,
  account: EXECUTE_CHECKS.account,
  approve: aText,
  strict: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
};
const KNOWN: KnownOptions = { checks: CHECKS, kind: "an option of a subscription" };

/**
 * Reports the end of a subscription and its reason to the observer. The values went to the
 * subscriber.
 */
function reportEnd(settings: Settings, call: Call, error: CallError | undefined): void {
  call.error = error;
  const { operationId: capability_id, requestId: request_id } = call;
  const envelope =
    error === undefined
      ? successResult(null, { capability_id, request_id })
      : failure(settings, call, error);
  report(settings, call, envelope);
}

function assertStream({ id, kind }: OperationSpec): void {
  if (kind === "subscription") return;
  throw fail("ADAPTER_UNSUPPORTED", `${id} is not a subscription`, {
    outcome: "not_applied",
    hint: "Call it with execute",
  });
}

/**
 * Runs one subscription. It is checked and approved like a call, and then delivers its values
 * one by one.
 */
export function watch(
  settings: Settings,
  identity: Identity | undefined,
  capability_id: string,
  params: unknown,
  options: WatchOptions | undefined,
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const { redactor, calls } = settings;
  const { approve, strict, ...limits } = readOptions(options);
  const { account } = limits;
  const reader = readerFor(settings, "answer");
  const call = new Call(capability_id, params, { identity, account }, calls, reader);
  return subscribeWith(
    calls,
    capability_id,
    { ...limits, identity },
    {
      async open() {
        refuseIssues(optionIssues(readOptions(options), KNOWN));
        const { entry, input } = await calls.check(capability_id, params, { ...limits, identity });
        const { spec } = (call.entry = entry);
        if (strict === true) assertStream(spec);
        const caller = identity?.id;
        const question = { spec, params: input, caller, account, approve };
        const claim = await claimApproval(settings, question);
        await claim.settle("applied");
        // Passes the original input, because a schema that changes the input may reject its own
        // result.
        return { input: params, approvedFor: spec.effect };
      },
      show: ({ data, meta }) => ({ data: redactor.data(data), meta: redactor.data(meta) }),
      showError: (error) => redactor.error(error),
      onEnd: (error) => reportEnd(settings, call, error),
    },
  );
}
