import { fail } from "../../envelope/index.ts";
import { attemptFor, attemptRoutes, knownRun } from "../../router/index.ts";
import type { Routed, RoutedOperation, RoutedRequest, SendHooks } from "../../router/index.ts";
import { toEnvelope } from "../../registry/index.ts";
import { paginate } from "../answer/paging.ts";
import { selectedPaths } from "../answer/shape.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { notSent } from "./not-sent.ts";
import { Sending } from "./sending.ts";

/**
 * How long a route may take to end after its call was aborted. After that, the call ends without
 * it.
 */
const GRACE_MS = 1_000;

/** The state of a call over routes before its first attempt. */
export const NOTHING_TRIED: Routed = {
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

/** A cursor works only on the route that returned it. */
function assertPageRoute({ request: { route }, pageRoute, operationId }: Call): void {
  if (route === undefined || pageRoute === undefined || route === pageRoute) return;
  throw fail("VALIDATION", `The cursor of ${operationId} belongs to the ${pageRoute} route`, {
    outcome: "not_applied",
    issues: [{ path: "/route", message: `must be ${pageRoute} or left out with this cursor` }],
  });
}

/** The selected paths, with alternative names replaced by the operation's own names. */
function ownPaths({ request, spec }: Call): readonly string[] {
  const names = Object.entries(spec?.otherFields ?? {});
  return selectedPaths(request.select).flatMap((path) => [
    path,
    ...names.flatMap(([own, others]) => (others.includes(path) ? [own] : [])),
  ]);
}

/**
 * The optional field groups of a call: those that it names, and those that contain the fields
 * that it selects.
 */
function includedGroups(call: Call): readonly string[] | undefined {
  const { include } = call.request;
  const paths = ownPaths(call);
  if (paths.length === 0 || call.entry?.run === undefined) return include;
  const run = knownRun(call.entry.run);
  const needed = run.kind === "routed" ? (run.groupsFor?.(paths) ?? []) : [];
  return needed.length === 0 ? include : [...new Set([...(include ?? []), ...needed])];
}

/** The call in the form that routes receive. */
export function routedRequest(call: Call): RoutedRequest {
  assertPageRoute(call);
  const { request, identity, account, page } = call;
  return {
    params: call.input as Record<string, unknown>,
    route: request.route ?? call.pageRoute,
    isNextPage: request.route === undefined && call.pageRoute !== undefined,
    page,
    include: includedGroups(call),
    identity,
    account,
    batch: request.batch,
  };
}

/** Gives a route a short time to end by itself after an abort. */
function withGrace<T>(work: Promise<T>, call: Call, sending: Sending): Promise<T> {
  return new Promise((resolve, reject) => {
    let late: ReturnType<typeof setTimeout> | undefined;
    call.reject = (error) => {
      late = setTimeout(() => reject(sending.giveUp(error)), GRACE_MS);
    };
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

async function tryRoutes(
  settings: Settings,
  call: Call,
  routed: RoutedOperation,
  request: RoutedRequest,
  sending: Sending,
): Promise<Routed> {
  const isWrite = call.spec!.effect !== "read";
  const settle = isWrite ? await routed.settler(request, call) : undefined;
  const ready = settle && ((): Promise<string> => settle.ready());
  return attemptRoutes(await routed.choices(request), {
    capability: call.operationId,
    retry: settings.retry,
    attempt: attemptFor(routed, call, async () => sending.beforeSend(await ready?.()), ready),
    onAgain: (outcome) => sending.onAgain(outcome),
    isDoubtful: sending.isDoubtful,
    onAuthFailure: (route) => routed.onAuthFailure(route),
    timeline: call.timeline,
    conforms: ({ data }) => call.schemas?.output?.check(data) ?? true,
    ...(settle !== undefined && { settle }),
  });
}

/** Tries the routes of an operation until one has answered. */
export async function runRoutes(
  settings: Settings,
  call: Call,
  routed: RoutedOperation,
  hooks: SendHooks,
): Promise<void> {
  call.start();
  if (call.aborted !== undefined) throw notSent(call.aborted);
  call.routed = NOTHING_TRIED;
  call.dispatch();
  const request = routedRequest(call);
  const sending = new Sending(hooks);
  const trying = tryRoutes(settings, call, routed, request, sending);
  const ended = await (call.canAbort ? withGrace(trying, call, sending) : trying);
  call.routed = ended;
  if (ended.response === undefined) {
    throw routed.toldError?.(ended.error!, request) ?? ended.error!;
  }
  const { data, meta } = toEnvelope(call.spec!, call.schemas!, ended.response);
  const paged = paginate(data, ended, call.spec!, call.input);
  call.pagination = paged.pagination;
  call.response = { data: paged.data, meta };
}
