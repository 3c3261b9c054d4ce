import { compileQuery } from "../../budget/index.ts";
import { fail } from "../../envelope/index.ts";
import type { OperationHandler } from "../../operation/index.ts";
import { assertAllowed, assertCovered, mayCall } from "../../policy/index.ts";
import { assertAccess, checkParams, looseNames, untypedDigits } from "../../registry/index.ts";
import type { Entry } from "../../registry/index.ts";
import type { SendHooks } from "../../router/index.ts";
import { pagedParams } from "../answer/paging.ts";
import type { Settings } from "../settings.ts";
import type { Call, CallRequest } from "./call.ts";
import { assertAccount } from "./assert-account.ts";
import { describeDryRun } from "./dry-run.ts";
import { noteEarlierCall } from "./earlier-call.ts";
import { isJournalTold, runOnce } from "./run-once.ts";
import { namedParams } from "./named-params.ts";
import { runFor } from "./run-for.ts";
import { runHandler } from "./run-handler.ts";
import type { Finish } from "./run-handler.ts";
import { runRoutes } from "./run-routes.ts";
import { withVerifyHint } from "./verify-hint.ts";

/** A call that may only read must not call a write. */
function assertReads({ id, spec: { effect } }: Entry): void {
  if (effect === "read") return;
  const message = `${id} has the effect ${effect}, but this call may only read`;
  const hint = "Use context.call in an operation that is declared with this effect";
  throw fail("POLICY", message, { outcome: "not_applied", hint });
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

/** The handler of an operation that can run without any waiting. Null for all other operations. */
function plainHandler(settings: Settings, { run, spec }: Entry): OperationHandler | null {
  const isPlain =
    spec.kind === "call" &&
    spec.parseInput === undefined &&
    spec.completeInput === undefined &&
    spec.looseInput !== true &&
    // A rule may deny one of its other ids for some inputs only.
    spec.alsoCalled === undefined &&
    // Operations of a source get a warning about integers that became strings, so they take the
    // longer path.
    spec.source === undefined &&
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
    `${operationId} has no ${route} route; leave out route, because it runs in this process`,
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
async function runOperation(settings: Settings, call: Call, hooks: SendHooks): Promise<void> {
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

/**
 * Finds the operation, reads the input and checks the rules, in the order: find, authorise, name
 * inputs, page, validate, policy.
 */
export async function admit(settings: Settings, call: Call): Promise<void> {
  const { request } = call;
  if (call.aborted !== undefined) {
    call.entry = settings.registry.find(call.operationId);
    throw call.aborted;
  }
  const load = settings.toLoad([call.operationId]);
  if (load !== undefined) await call.wait(load());
  const { entry, params } = settings.registry.readCall(call.operationId, call.params);
  const asked = call.operationId;
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
  assertAllowed(settings.policy, entry.spec, { asked, input: call.input });
  assertRecordable(settings, call, entry);
  if (asked !== entry.id) {
    call.warnings = [`${asked} means ${entry.id}`, ...(call.warnings ?? [])];
  }
  if (request.approvedFor === undefined) call.approvedFor = entry.spec.effect;
  else assertCovered(settings.policy, entry.spec, request.approvedFor);
}

/** Replaces values that only the upstream knows, such as `@me`. */
async function completeInput(call: Call): Promise<void> {
  const { spec } = call.entry!;
  const input = call.input as Readonly<Record<string, unknown>>;
  const completed = spec.completeInput?.(input, (...asked) => call.look(...asked));
  if (completed !== undefined) call.input = await call.wait(completed);
}

/** Runs a call that must wait for something before its handler. Never throws. */
async function runFully(settings: Settings, call: Call): Promise<void> {
  try {
    if (call.canAbort) call.start();
    await admit(settings, call);
    if (call.request.isDry === true) return await describeDryRun(settings, call);
    await completeInput(call);
    await runOnce(settings, call, (hooks) => runOperation(settings, call, hooks));
  } catch (thrown) {
    call.fail(withVerifyHint(settings, call, thrown));
  } finally {
    if (call.error !== undefined) await noteEarlierCall(settings, call);
    call.finish();
  }
}

/**
 * Runs one call. All callers use it: surfaces, chains, card steps, handlers, probes and other
 * processes. They differ only in their request. Rejects only if `finish` throws.
 */
export function runCall<T>(settings: Settings, call: Call, finish: Finish<T>): Promise<T> {
  try {
    const { request } = call;
    if (request.refusal !== undefined) throw request.refusal;
    const entry = settings.registry.entries.get(call.operationId);
    if (entry !== undefined && !asksForMore(request)) {
      const { schemas } = entry;
      call.entry = entry;
      // The handler can be stored with the registry's entry, because the registry belongs to
      // these settings.
      const handler = schemas && (entry.plainHandler ??= plainHandler(settings, entry));
      // Avoids promises between the caller and a local function, because each takes as long as
      // all the checks.
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
