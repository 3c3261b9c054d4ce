import { errorFromUnknown, fail, successResult } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope, ResultEnvelope, Route } from "../envelope/index.ts";
import { claimApproval, needsApproval, policyRefusal } from "../policy/index.ts";
import { CallContext, runChecked, toEnvelope } from "../registry/index.ts";
import type { CallOptions, Ending, Entry, Schemas } from "../registry/index.ts";
import {
  attemptFor,
  attemptRoutes,
  digestOf,
  outcomeOf,
  routedOf,
  runKeyed,
  steppedOf,
} from "../router/index.ts";
import type {
  BatchMember,
  ProbedWrite,
  RequestedPage,
  Routed,
  RoutedOperation,
  RoutedRequest,
  SendHooks,
  SteppedOperation,
} from "../router/index.ts";
import type { CallState } from "./call-state.ts";
import { withPagination } from "./paging.ts";
import { notSent } from "./not-sent.ts";
import { Sending } from "./sending.ts";
import { isTold } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { dryRunSteps, runSteps } from "./steps.ts";
import type { StepsCall } from "./steps.ts";
import { lookOf } from "./verify-hint.ts";

/** A checked call that asks for more than to be run: routes, a key, an approval, a dry run. */
export interface SpecialCall {
  readonly settings: Settings;
  readonly state: CallState;
  readonly entry: Entry;
  readonly schemas: Schemas;
  readonly input: unknown;
  readonly callOptions: CallOptions;
  readonly ending: Ending<ResultEnvelope>;
  /** The route that a cursor belongs to. */
  readonly pageRoute: Route | undefined;
  readonly page: RequestedPage | undefined;
  readonly batch: BatchMember | undefined;
  /** It is a step of a call that was approved as a whole. */
  readonly isPart: boolean;
}

/** How long a route may take to notice that its call was aborted, before it is left behind. */
const GRACE_MS = 1_000;

/** What is known of a call over routes until it has ended. */
const NOTHING_TRIED: Routed = {
  response: undefined,
  error: undefined,
  attempts: [],
  routeUsed: undefined,
  reason: undefined,
  upstreamRequests: 0,
  rateLimitRemaining: undefined,
  serverDate: undefined,
  nextCursor: undefined,
  rawBytes: undefined,
};

const NO_HOOKS: SendHooks = { beforeSend: async () => {}, onAgain: async () => {} };

/** A cursor leads on only where it came from. */
function assertPageRoute({ state, entry, pageRoute }: SpecialCall): void {
  const { route } = state.options;
  if (route === undefined || pageRoute === undefined || route === pageRoute) return;
  throw fail("VALIDATION", `The cursor of ${entry.id} belongs to the ${pageRoute} route`, {
    outcome: "not_applied",
    issues: [{ path: "/route", message: `must be ${pageRoute} or left out with this cursor` }],
  });
}

function requestOf(call: SpecialCall): RoutedRequest {
  assertPageRoute(call);
  const { options, identity } = call.state;
  return {
    params: call.input as Record<string, unknown>,
    route: options.route ?? call.pageRoute,
    page: call.page,
    include: options.include,
    identity,
    batch: call.batch,
  };
}

async function dryRequests(call: SpecialCall): Promise<readonly object[]> {
  const { entry, settings, input } = call;
  const routed = routedOf(entry.handler);
  if (routed !== undefined) return routed.dryRun(requestOf(call));
  const stepped = steppedOf(entry.handler);
  if (stepped !== undefined) return dryRunSteps(settings, stepped, stepsCallOf(call));
  return [{ route: "local", operation: entry.id, input }];
}

async function dryRun(call: SpecialCall): Promise<ResultEnvelope> {
  const { entry, settings } = call;
  const requests = await dryRequests(call);
  const data = { requests: requests.map((request) => settings.redactor.value(request)) };
  return successResult(data, { capability_id: entry.id });
}

/** Gives a route the chance to end by itself after an abort, but no more than that. */
function withGrace<T>(work: Promise<T>, context: CallContext, sending: Sending): Promise<T> {
  return new Promise((resolve, reject) => {
    let late: ReturnType<typeof setTimeout> | undefined;
    context.reject = (error) => {
      late = setTimeout(() => reject(sending.giveUp(error)), GRACE_MS);
    };
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

async function tryRoutes(
  { settings, state, entry, schemas }: SpecialCall,
  routed: RoutedOperation,
  request: RoutedRequest,
  context: CallContext,
  sending: Sending,
): Promise<Routed> {
  const settle = await routed.settler(request, context);
  return attemptRoutes(await routed.choices(request), {
    capability: entry.id,
    retry: settings.retry,
    attempt: attemptFor(routed, context, async () => sending.beforeSend(await settle?.ready())),
    onAgain: (outcome) => sending.onAgain(outcome),
    onAuthFailure: (route) => routed.onAuthFailure(route),
    timeline: state.timeline,
    conforms: ({ data }) => schemas.output?.check(data) ?? true,
    ...(settle !== undefined && { settle }),
  });
}

async function runRouted(
  call: SpecialCall,
  routed: RoutedOperation,
  hooks: SendHooks,
): Promise<ResultEnvelope> {
  const { settings, state, entry } = call;
  const context = new CallContext(entry.id, settings.registry, call.callOptions);
  context.start();
  if (context.aborted !== undefined) throw notSent(context.aborted);
  state.routed = NOTHING_TRIED;
  state.dispatch();
  const sending = new Sending(hooks);
  try {
    const work = tryRoutes(call, routed, requestOf(call), context, sending);
    const ended = await withGrace(work, context, sending);
    state.routed = ended;
    if (ended.response === undefined) throw ended.error!;
    const result = answered(call, ended.response);
    return withPagination(result, ended.nextCursor, call.entry.spec, call.input);
  } finally {
    context.finish();
  }
}

function answered(
  { entry, schemas, ending }: SpecialCall,
  response: ResponseEnvelope,
): ResultEnvelope {
  return ending.succeed(toEnvelope(entry.spec, schemas, response));
}

function assertLocal({ state, entry }: SpecialCall): void {
  const { route } = state.options;
  if (route === undefined || route === "local") return;
  throw fail("ADAPTER_UNSUPPORTED", `${entry.id} has no ${route} route; it is local`, {
    outcome: "not_applied",
  });
}

function stepsCallOf({ state, entry, input, isPart }: SpecialCall): StepsCall {
  const { options, identity, deadline } = state;
  return {
    params: input as Record<string, unknown>,
    identity,
    deadline,
    signal: options.signal,
    key: entry.spec.effect === "read" ? undefined : options.idempotency_key,
    isTraced: options.trace === true,
    parentId: state.watched && state.requestId,
    isPart,
  };
}

/**
 * Nothing is sent but by the steps, each under a key of its own. So the key of the whole stays
 * `started` until it is settled, and whoever takes it over after a crash goes on where it ended.
 */
async function runStepped(call: SpecialCall, stepped: SteppedOperation): Promise<ResultEnvelope> {
  assertLocal(call);
  const { settings, state } = call;
  state.dispatch();
  const ended = await runSteps(settings, stepped, stepsCallOf(call));
  state.routed = { ...NOTHING_TRIED, ...ended, routeUsed: "local", reason: "DEFAULT_POLICY" };
  if (ended.response === undefined) throw ended.error!;
  return answered(call, ended.response);
}

async function runLocal(call: SpecialCall, hooks: SendHooks): Promise<ResultEnvelope> {
  const { settings, state, entry, schemas, input, ending } = call;
  assertLocal(call);
  await hooks.beforeSend();
  state.dispatch();
  const context = new CallContext(entry.id, settings.registry, call.callOptions);
  return runChecked(entry, schemas, input, context, ending);
}

/** Whoever does not know whether a write was applied is told how to look. */
function withVerifyHint(call: SpecialCall, error: CallError): CallError {
  if (error.details.outcome !== "unknown" || call.entry.spec.effect === "read") return error;
  const hint = routedOf(call.entry.handler)?.verifyHint(requestOf(call));
  if (hint === undefined) return error;
  return error.with({ verify: lookOf(hint, call.settings.registry.getSpec(hint.capability_id)) });
}

/** One run of the call, whatever it is run for. Never throws. */
async function runOnce(call: SpecialCall, hooks: SendHooks): Promise<ResultEnvelope> {
  try {
    const { handler } = call.entry;
    const routed = routedOf(handler);
    if (routed !== undefined) return await runRouted(call, routed, hooks);
    const stepped = steppedOf(handler);
    return await (stepped === undefined ? runLocal(call, hooks) : runStepped(call, stepped));
  } catch (thrown) {
    return call.ending.fail(withVerifyHint(call, errorFromUnknown(thrown)));
  }
}

/** Looks whether the write of an earlier call under this key took place. */
async function probeAgain(call: SpecialCall, trail: string): Promise<ProbedWrite> {
  const { settings, entry } = call;
  const context = new CallContext(entry.id, settings.registry, call.callOptions);
  context.start();
  try {
    const routed = routedOf(entry.handler);
    const settler = await routed?.settler(requestOf(call), context, trail);
    if (settler === undefined) return { seen: undefined };
    call.state.routed = NOTHING_TRIED;
    call.state.dispatch();
    const settled = await settler.settle();
    call.state.routed = { ...NOTHING_TRIED, upstreamRequests: settler.reads };
    if (settled.outcome === "not_applied") return "not_applied";
    if (settled.outcome === "unknown") return { seen: settled.seen };
    if (settled.answer === undefined) return call.ending.fail(settled.error);
    return answered(call, settled.answer.response);
  } finally {
    context.finish();
  }
}

/** The same for a call that may need an approval, which it uses up unless nothing was applied. */
async function runApproved(call: SpecialCall, hooks: SendHooks): Promise<ResultEnvelope> {
  const { settings, state, entry, input: params } = call;
  if (call.isPart || !needsApproval(settings.policy, entry.spec)) return runOnce(call, hooks);
  const { approve, idempotency_key: key } = state.options;
  const caller = state.identity?.id;
  try {
    const claim = await claimApproval(settings, { spec: entry.spec, params, caller, approve, key });
    const result = await runOnce(call, hooks);
    // An approval that cannot be given back is gone, which errs on the safe side.
    await claim.settle(outcomeOf(result)).catch(() => {});
    return result;
  } catch (thrown) {
    return call.ending.fail(errorFromUnknown(thrown));
  }
}

async function runWithKey(call: SpecialCall, key: string): Promise<ResultEnvelope> {
  const { settings, state, entry, input } = call;
  const { journal } = settings;
  if (journal === undefined) {
    throw fail("NOT_READY", "There is no journal here, so a keyed write cannot be made safe", {
      outcome: "not_applied",
      hint: "Configure a journal, or leave out the idempotency key",
    });
  }
  const { handler } = entry;
  // Waiting for another call with this key ends with this call's own signal and deadline.
  const waiting = new CallContext(entry.id, settings.registry, call.callOptions);
  const { signal } = waiting;
  waiting.start();
  try {
    return await runKeyed({
      journal,
      key: {
        key,
        identity: state.identity?.id ?? "",
        host: routedOf(handler)?.host ?? steppedOf(handler)?.host ?? "",
        capability: entry.id,
        digest: await digestOf(input),
      },
      requestId: state.requestId,
      signal,
      // A result that is replayed needs no approval, so it is asked for only where the call is made.
      run: (hooks) => runApproved(call, hooks),
      probe: (trail) => probeAgain(call, trail),
    });
  } finally {
    waiting.finish();
  }
}

function withWarning(result: ResultEnvelope, warning: string): ResultEnvelope {
  const warnings = [...(result.meta.warnings ?? []), warning];
  return { ...result, meta: { ...result.meta, warnings } };
}

/**
 * A write without a key goes on whatever is wrong with the journal, but who makes it is told. What
 * is not known is found out alongside; a step leaves the telling to the call it belongs to.
 */
async function runWithoutKey(call: SpecialCall): Promise<ResultEnvelope> {
  const { settings, entry, isPart } = call;
  const { journal, redactor } = settings;
  if (isPart || !isTold(journal, entry.spec)) return runApproved(call, NO_HOOKS);
  const [result] = await Promise.all([runApproved(call, NO_HOOKS), journal?.check?.()]);
  const problem = journal?.problem;
  if (problem === undefined) return result;
  const warning = `${problem}; this call has no key and went on, one with a key would be refused`;
  return withWarning(result, redactor.text(warning));
}

/** policy → journal → approval → run. Never throws. */
export async function runSpecial(call: SpecialCall): Promise<ResultEnvelope> {
  const { settings, state, entry, ending } = call;
  try {
    const refusal = policyRefusal(settings.policy, entry.spec);
    if (refusal !== undefined) throw refusal;
    if (state.options.dry_run === true) return await dryRun(call);
    const key = entry.spec.effect === "read" ? undefined : state.options.idempotency_key;
    return await (key === undefined ? runWithoutKey(call) : runWithKey(call, key));
  } catch (thrown) {
    return ending.fail(withVerifyHint(call, errorFromUnknown(thrown)));
  }
}
