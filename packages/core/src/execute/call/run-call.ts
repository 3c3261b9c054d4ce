import { compileQuery } from "../../budget/index.ts";
import { fail, isRecord, successResult, toJson, withWarnings } from "../../envelope/index.ts";
import type { OperationHandler } from "../../operation/index.ts";
import { assertAllowed, assertCovered, mayCall } from "../../policy/index.ts";
import {
  assertAccess,
  checkParams,
  looseNames,
  uncheckedIn,
  untypedDigits,
} from "../../registry/index.ts";
import type { Entry } from "../../registry/index.ts";
import type { SendHooks } from "../../router/index.ts";
import { pagedParams } from "../answer/paging.ts";
import type { Settings } from "../settings.ts";
import type { Call, CallRequest } from "./call.ts";
import { assertAccount } from "./assert-account.ts";
import { isJournalTold, runOnce } from "./run-once.ts";
import { namedParams } from "./named-params.ts";
import { runFor } from "./run-for.ts";
import { runHandler } from "./run-handler.ts";
import type { Finish } from "./run-handler.ts";
import { routedRequest, runRoutes } from "./run-routes.ts";
import { withVerifyHint } from "./verify-hint.ts";

/** A call that may only read must not call a write. */
function assertReads({ id, spec: { effect } }: Entry): void {
  if (effect === "read") return;
  const message = `${id} is a ${effect}, but this call may only read`;
  throw fail("POLICY", message, { outcome: "not_applied" });
}

function authorise(call: Call, entry: Entry): void {
  if (call.identity !== undefined) assertAccess(entry.spec, call);
  if (call.readsOnly === true) assertReads(entry);
}

/** An observer that records writes may refuse them while it cannot record. */
function assertRecordable({ observer }: Settings, { request }: Call, { spec }: Entry): void {
  if (spec.effect === "read" || request.isDry === true) return;
  const refusal = observer?.refuseWrite?.();
  if (refusal !== undefined) throw refusal;
}

/** The handler of an operation that can run at once, without any waiting. Null for others. */
function plainHandler(settings: Settings, { run, spec }: Entry): OperationHandler | null {
  const isPlain =
    spec.kind === "call" &&
    spec.parseInput === undefined &&
    spec.looseInput !== true &&
    mayCall(settings.policy, spec) &&
    (spec.effect === "read" || settings.observer?.refuseWrite === undefined) &&
    !isJournalTold(settings, spec);
  return isPlain && run?.kind === "local" ? run.handler : null;
}

function asksForMore(request: CallRequest): boolean {
  return (
    request.query !== undefined ||
    request.page !== undefined ||
    request.route !== undefined ||
    request.isDry === true ||
    request.idempotencyKey !== undefined
  );
}

function assertLocal({ request: { route }, operationId }: Call): void {
  if (route === undefined || route === "local") return;
  throw fail(
    "ADAPTER_UNSUPPORTED",
    `${operationId} has no ${route} route; it runs in this process`,
    {
      outcome: "not_applied",
    },
  );
}

async function runLocal(
  settings: Settings,
  call: Call,
  handler: OperationHandler,
  hooks: SendHooks,
): Promise<void> {
  assertLocal(call);
  await hooks.beforeSend();
  await runHandler(settings, call, handler, () => {});
}

/** Runs the operation with its function, routes, steps or program. Never throws. */
async function perform(settings: Settings, call: Call, hooks: SendHooks): Promise<void> {
  try {
    const run = await runFor(call);
    switch (run.kind) {
      case "local":
        return await runLocal(settings, call, run.handler, hooks);
      case "code":
        assertLocal(call);
        call.dispatch();
        return await settings.programs.run(settings, call, run);
      case "routed":
        return await runRoutes(settings, call, run, hooks);
      case "steps":
        assertLocal(call);
        call.dispatch();
        return await settings.steps.run(settings, call, run);
    }
  } catch (thrown) {
    call.fail(withVerifyHint(settings, call, thrown));
  }
}

function withAccount({ account }: Call, requests: readonly object[]): readonly object[] {
  return account === undefined ? requests : requests.map((each) => ({ account, ...each }));
}

async function plannedRequests(settings: Settings, call: Call): Promise<readonly object[]> {
  const run = await runFor(call);
  if (run.kind === "routed") return withAccount(call, await run.dryRun(routedRequest(call)));
  if (run.kind === "steps") return settings.steps.describe(settings, call, run);
  if (run.kind === "code") return settings.programs.describe(settings, call, run);
  return [{ route: "local", operation: call.operationId, input: jsonInput(call) }];
}

/** A local function accepts any value, but a dry run shows JSON. */
function jsonInput({ input, operationId }: Call): unknown {
  try {
    return toJson(input).value;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The input of ${operationId} cannot be shown: ${why}`;
    throw fail("VALIDATION", message, { outcome: "not_applied" }, { cause });
  }
}

/** Shows what would be sent, and sends nothing. */
async function describeDryRun(settings: Settings, call: Call): Promise<void> {
  const requests = await plannedRequests(settings, call);
  const data = { requests: requests.map((request) => settings.redactor.value(request)) };
  const reason = call.entry?.run?.kind === "routed" ? ({ reason: "DEFAULT_POLICY" } as const) : {};
  const result = successResult(data, { capability_id: call.operationId, ...reason });
  const unchecked = call.schemas === undefined ? [] : uncheckedIn(call.schemas);
  call.result = withWarnings(result, [...(call.warnings ?? []), ...unchecked]);
}

/** The params of a call, with those that its id stands for. */
function withIdInputs({ id, spec }: Entry, { operationId, params = {} }: Call): unknown {
  const implied = operationId === id ? undefined : spec.idInputs?.[operationId];
  return implied === undefined || !isRecord(params) ? params : { ...implied, ...params };
}

/** Finds the operation, reads the input and checks the rules: resolve → authorise → name → page → validate → policy. */
export async function admit(settings: Settings, call: Call): Promise<void> {
  const { request } = call;
  if (call.aborted !== undefined) {
    call.entry = settings.registry.find(call.operationId);
    throw call.aborted;
  }
  const load = settings.toLoad([call.operationId]);
  if (load !== undefined) await call.wait(load());
  const entry = settings.registry.resolve(call.operationId);
  const params = withIdInputs(entry, call);
  call.entry = entry;
  call.operationId = entry.id;
  // An invalid query is refused before anything is sent.
  if (request.query !== undefined) call.query = await compileQuery(request.query);
  authorise(call, entry);
  if (call.account !== undefined) await call.wait(assertAccount(entry, call));
  const schemas = entry.schemas ?? (await entry.prepare());
  call.schemas = schemas;
  const named = namedParams(entry, params, schemas.input, settings.registry);
  const paged = pagedParams(entry.spec, named, request.page);
  call.page = paged.page;
  call.pageRoute = paged.route;
  call.input = paged.params;
  if (request.isPending !== true) {
    const checked = checkParams(entry, schemas, paged.params);
    call.input = checked instanceof Promise ? await call.wait(checked) : checked;
    const digits = untypedDigits(entry, schemas.input, call.input);
    const isLoose = entry.spec.looseInput === true;
    if (isLoose || digits.length > 0) call.warnings = [...looseNames(entry, call.input), ...digits];
  }
  assertAllowed(settings.policy, entry.spec);
  assertRecordable(settings, call, entry);
  if (request.approvedFor === undefined) call.approvedFor = entry.spec.effect;
  else assertCovered(settings.policy, entry.spec, request.approvedFor);
}

/** The whole path of a call that must wait for something before its handler. Never throws. */
async function runFully(settings: Settings, call: Call): Promise<void> {
  try {
    if (call.canAbort) call.start();
    await admit(settings, call);
    if (call.request.isDry === true) await describeDryRun(settings, call);
    else await runOnce(settings, call, (hooks) => perform(settings, call, hooks));
  } catch (thrown) {
    call.fail(withVerifyHint(settings, call, thrown));
  } finally {
    call.finish();
  }
}

/**
 * Runs one call. Surfaces, chains, card steps, handlers, probes and other processes all use it and
 * differ only in their request. Rejects only if `finish` throws.
 */
export function runCall<T>(settings: Settings, call: Call, finish: Finish<T>): Promise<T> {
  try {
    const { request } = call;
    if (request.refusal !== undefined) throw request.refusal;
    const entry = settings.registry.entries.get(call.operationId);
    if (entry !== undefined && !asksForMore(request)) {
      const { schemas } = entry;
      call.entry = entry;
      // The registry belongs to these settings, so the handler can be stored with the entry.
      const handler = schemas && (entry.plainHandler ??= plainHandler(settings, entry));
      // Each promise between the caller and a local function costs as much time as the checks.
      if (schemas !== undefined && handler) {
        if (request.identity !== undefined || request.readsOnly === true) authorise(call, entry);
        call.schemas = schemas;
        const named = namedParams(entry, call.params, schemas.input, settings.registry);
        call.input = checkParams(entry, schemas, named);
        call.approvedFor ??= entry.spec.effect;
        return runHandler(settings, call, handler, finish);
      }
    }
  } catch (thrown) {
    call.fail(thrown);
    return new Promise((resolve) => resolve(finish(settings, call)));
  }
  return runFully(settings, call).then(() => finish(settings, call));
}
