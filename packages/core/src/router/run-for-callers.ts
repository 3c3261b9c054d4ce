import type { Identity, OperationRun, SubscriptionHandler } from "../operation/index.ts";
import { knownRun } from "./known-run.ts";
import type { RoutedOperation } from "./routed-operation.ts";

type RunAs = (identity: Identity) => Promise<OperationRun>;

function routedAs(own: RoutedOperation, runAs: RunAs): RoutedOperation {
  const choose = async (identity: Identity | undefined): Promise<RoutedOperation> =>
    identity === undefined ? own : (knownRun(await runAs(identity)) as RoutedOperation);
  return {
    kind: "routed",
    spec: own.spec,
    routes: own.routes,
    host: own.host,
    honoursKeys: own.honoursKeys,
    choices: async (request) => (await choose(request.identity)).choices(request),
    settler: async (request, context, trail) =>
      (await choose(request.identity)).settler(request, context, trail),
    verifyHint: (request) => own.verifyHint(request),
    dryRun: async (request) => (await choose(request.identity)).dryRun(request),
    ...(own.toldError !== undefined && { toldError: own.toldError.bind(own) }),
    onAuthFailure: (route) => own.onAuthFailure(route),
  };
}

function subscriptionAs(own: SubscriptionHandler, runAs: RunAs): SubscriptionHandler {
  return async function* (input, context) {
    const { identity } = context;
    const run = identity === undefined ? undefined : knownRun(await runAs(identity));
    const handler = run?.kind === "local" ? (run.handler as SubscriptionHandler) : own;
    yield* handler(input, context);
  };
}

/**
 * The same operation with a separate run for each caller; `own` serves the program itself. Only
 * runs that reach an upstream differ by caller: routes and subscriptions.
 */
export function runForCallers(own: OperationRun, runAs: RunAs): OperationRun {
  const known = knownRun(own);
  if (known.kind === "routed") return routedAs(known, runAs);
  if (known.kind !== "local") return own;
  return { kind: "local", handler: subscriptionAs(known.handler as SubscriptionHandler, runAs) };
}
