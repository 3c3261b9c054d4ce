import type { CallMetadata, OperationRun, SubscriptionHandler } from "../operation/index.ts";
import { knownRun } from "./known-run.ts";
import type { RoutedOperation, SourceAccounts } from "./routed-operation.ts";

/** The caller of an operation, and the account to use. */
export type AccountCaller = Pick<CallMetadata, "identity" | "account">;

/** How an operation is run for different callers and with named accounts. */
export interface CallerRuns {
  /** The run for a caller. Undefined if the source's own run is used. */
  readonly runAs: (caller: AccountCaller) => Promise<OperationRun | undefined>;
  /** The accounts that a call can name (default: none). */
  readonly accounts?: SourceAccounts;
}

type RunAs = CallerRuns["runAs"];

/** Handles calls of the program itself first. They are the most common and wait for nothing. */
function usesOwnAccount({ identity, account }: AccountCaller): boolean {
  return identity === undefined && account === undefined;
}

function routedAs(own: RoutedOperation, { runAs, accounts }: CallerRuns): RoutedOperation {
  const choose = async (caller: AccountCaller): Promise<RoutedOperation> => {
    const run = usesOwnAccount(caller) ? undefined : await runAs(caller);
    return run === undefined ? own : (knownRun(run) as RoutedOperation);
  };
  return {
    kind: "routed",
    spec: own.spec,
    routes: own.routes,
    host: own.host,
    honoursKeys: own.honoursKeys,
    ...(own.sendsTogether !== undefined && { sendsTogether: own.sendsTogether }),
    ...(own.steps !== undefined && { steps: own.steps }),
    ...(accounts !== undefined && { accounts }),
    choices: async (request) => (await choose(request)).choices(request),
    settler: async (request, context, trail) =>
      (await choose(request)).settler(request, context, trail),
    verifyHint: (request) => own.verifyHint(request),
    dryRun: async (request) => (await choose(request)).dryRun(request),
    ...(own.toldError !== undefined && { toldError: own.toldError.bind(own) }),
    onAuthFailure: (route) => own.onAuthFailure(route),
  };
}

function subscriptionAs(own: SubscriptionHandler, runAs: RunAs): SubscriptionHandler {
  return async function* (input, context) {
    const found = usesOwnAccount(context) ? undefined : await runAs(context);
    const run = found && knownRun(found);
    const handler = run?.kind === "local" ? (run.handler as SubscriptionHandler) : own;
    yield* handler(input, context);
  };
}

/**
 * The same operation with a separate run for each caller. `own` is used for the program itself.
 * Only runs that reach an upstream depend on the caller: routes and subscriptions.
 */
export function runForCallers(own: OperationRun, runs: CallerRuns): OperationRun {
  const known = knownRun(own);
  if (known.kind === "routed") return routedAs(known, runs);
  if (known.kind !== "local") return own;
  const handler = subscriptionAs(known.handler as SubscriptionHandler, runs.runAs);
  return { kind: "local", handler };
}
