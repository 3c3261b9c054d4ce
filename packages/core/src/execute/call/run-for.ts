import { fail } from "../../envelope/index.ts";
import { missingHandler } from "../../registry/index.ts";
import type { Entry } from "../../registry/index.ts";
import { knownRun } from "../../router/index.ts";
import type { KnownRun, RoutedOperation } from "../../router/index.ts";
import type { Call } from "./call.ts";

/** Throws for a subscription, and for an operation without a handler. */
function callableRun({ id, spec, run }: Entry): KnownRun {
  if (spec.kind === "subscription") {
    const message = `${id} is a subscription; use subscribe("${id}", …)`;
    const hint = `On the command line: waybill subscribe ${id}`;
    throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied", hint });
  }
  if (run !== undefined) return knownRun(run);
  throw missingHandler(id);
}

async function stepsOrRoutes(call: Call, run: RoutedOperation): Promise<KnownRun> {
  const { isOwnStep, route } = call.request;
  if (isOwnStep === true || !(await run.steps?.isMeant(call.input as object))) return run;
  if (route === undefined) return run.steps!;
  const message = `${call.operationId} makes several calls for this input, so a route cannot be chosen`;
  const hint = "Leave out the route, or make the calls one by one";
  throw fail("VALIDATION", message, { outcome: "not_applied", hint });
}

/** Returns how to run this call. For some inputs, an operation with routes uses steps instead. */
export function runFor(call: Call): KnownRun | Promise<KnownRun> {
  const run = callableRun(call.entry!);
  return run.kind === "routed" && run.steps !== undefined ? stepsOrRoutes(call, run) : run;
}
