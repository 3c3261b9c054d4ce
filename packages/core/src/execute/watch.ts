import { subscribeWith } from "../calls/index.ts";
import type { SubscribeOptions } from "../calls/index.ts";
import { fail, successResult } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { Identity, OperationSpec } from "../operation/index.ts";
import { claimApproval } from "../policy/index.ts";
import { assertAccess, checkInput } from "../registry/index.ts";
import type { Entry, OperationRegistry } from "../registry/index.ts";
import { aText, optionIssues, readOptions, refuseIssues } from "./check-options.ts";
import type { Check, KnownOptions } from "./check-options.ts";
import { failureAnswer } from "./answer.ts";
import { CallState, idText } from "./call-state.ts";
import { report } from "./report.ts";
import { loadWithin } from "./load-within.ts";
import { EXECUTE_CHECKS } from "./options.ts";
import { namedParams } from "./params.ts";
import { watchedAs } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** What may be asked of a subscription; whose it is follows from the Waybill it is asked of. */
export interface WatchOptions extends Pick<
  SubscribeOptions,
  "deadline" | "idleTimeout" | "signal"
> {
  /** What a refusal gave, to be passed back once a person has agreed. */
  readonly approve?: string;
  /** Refuses what is called once, instead of calling it for its one value. */
  readonly strict?: boolean;
}

const CHECKS: Readonly<Record<keyof WatchOptions, Check>> = {
  deadline: (value) => (typeof value === "number" ? undefined : "must be a number"),
  idleTimeout: (value) => (typeof value === "number" ? undefined : "must be a number"),
  signal: EXECUTE_CHECKS.signal,
  approve: aText,
  strict: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
};
const KNOWN: KnownOptions = { checks: CHECKS, kind: "an option of a subscription" };

/** The input of a subscription, through the same door as that of a call. */
async function watchInput(
  entry: Entry,
  params: unknown,
  registry: OperationRegistry,
): Promise<unknown> {
  const schemas = entry.schemas ?? (await entry.prepare());
  const named = namedParams(entry.spec, params, schemas.input, registry);
  return entry.spec.parseInput === undefined
    ? checkInput(entry.id, schemas.input, named, { decode: true })
    : named;
}

/** What came was for the subscriber; that it came to an end, and how, is for the observer. */
function reportEnd(settings: Settings, state: CallState, error: CallError | undefined): void {
  state.error = error;
  const { capability_id, requestId: request_id } = state;
  const envelope =
    error === undefined
      ? successResult(null, { capability_id, request_id })
      : failureAnswer(state, error, settings.redactor);
  report(settings, state, envelope);
}

function assertStream({ id, kind }: OperationSpec): void {
  if (kind === "subscription") return;
  throw fail("ADAPTER_UNSUPPORTED", `${id} is no subscription`, {
    outcome: "not_applied",
    hint: "Call it with execute",
  });
}

/** One subscription from the agent's words on: resolve → name → validate → authorise → policy. */
export function watch(
  settings: Settings,
  identity: Identity | undefined,
  capability_id: string,
  params: unknown,
  options: WatchOptions | undefined,
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const { registry, redactor, toLoad } = settings;
  const { approve, strict, ...limits } = readOptions(options);
  const state = new CallState(capability_id, params, {}, identity, watchedAs(settings, "call"));
  return subscribeWith(
    registry,
    capability_id,
    { ...limits, identity },
    {
      async open() {
        refuseIssues(optionIssues(readOptions(options), KNOWN));
        const load = toLoad([idText(capability_id)]);
        if (load !== undefined) await loadWithin(load, registry, limits);
        const entry = registry.resolve(capability_id);
        state.spec = entry.spec;
        if (strict === true) assertStream(entry.spec);
        const input = await watchInput(entry, params, settings.registry);
        if (identity !== undefined) assertAccess(entry.spec, { identity });
        const approvedFor = entry.spec.effect;
        entry.gate?.(approvedFor);
        const { spec } = entry;
        const caller = identity?.id;
        const claim = await claimApproval(settings, { spec, params: input, caller, approve });
        await claim.settle("applied");
        return { input, approvedFor };
      },
      show: ({ data, meta }) => ({ data: redactor.data(data), meta: redactor.data(meta) }),
      showError: (error) => redactor.error(error),
      onEnd: (error) => reportEnd(settings, state, error),
    },
  );
}
