import { CallError } from "../envelope/index.ts";
import type { ResponseEnvelope, Route } from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type {
  Identity,
  OperationContext,
  OperationHandler,
  OperationSpec,
} from "../operation/index.ts";
import type { Routed } from "./attempt-log.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import type { Settler } from "./attempt-routes.ts";
import { DEFAULT_RETRY } from "./backoff.ts";
import type { RetryPolicy } from "./backoff.ts";
import type { Attempt, RouteChoice } from "./route.ts";
import type { BatchMember } from "./send-batch.ts";
import type { Timeline } from "./timeline.ts";

/** A page of a list, in the terms of the route that gave the cursor. */
export interface RequestedPage {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** What a caller may ask of the routes. */
export interface RoutedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  /** Only this route. */
  readonly route?: Route | undefined;
  /** Where the upstream's list goes on, for an operation that `pages`. */
  readonly page?: RequestedPage | undefined;
  /** Named extra field groups. */
  readonly include?: readonly string[] | undefined;
  /** Whose call it is. */
  readonly identity?: Identity | undefined;
  /** The calls that this one may travel with. */
  readonly batch?: BatchMember | undefined;
}

/** The read that shows whether a write took place, and the fields by which one can tell. */
export interface VerifyHint {
  readonly capability_id: string;
  readonly params: object;
  readonly fields: readonly string[];
}

/** An operation that can be done in more than one way. */
export interface RoutedOperation {
  readonly spec: OperationSpec;
  /** Preferred first. */
  readonly routes: readonly Route[];
  /** Which upstream a key belongs to. */
  readonly host: string;
  /** Whether the upstream itself makes a key safe to send twice. */
  readonly honoursKeys: boolean;
  /** Whether a route of it can send several calls in one go. */
  readonly sendsTogether?: boolean;
  /** The ways to do one call, in the order to try them. */
  choices(request: RoutedRequest): Promise<readonly RouteChoice[]>;
  /**
   * Looks whether a write of unknown outcome took place; undefined when there is no way to look.
   * Asked for before the write, for what was there already is not what it wrote; with the trail of
   * an earlier call, it looks for that one's write.
   */
  settler(
    request: RoutedRequest,
    context: OperationContext,
    trail?: string,
  ): Promise<Settler | undefined>;
  /** The read that shows whether a write took place, for who has to look by hand. */
  verifyHint(request: RoutedRequest): VerifyHint | undefined;
  /** What would be sent, secrets taken out. */
  dryRun(request: RoutedRequest): Promise<readonly object[]>;
  /** Has facts forgotten that a failure proved wrong. */
  onAuthFailure(route: Route): void;
}

/** Known to every copy of this package in a process: a source may bring its own. */
const ROUTED = Symbol.for("@waybill/core routed operation");

/** The routes behind a handler that `routedHandler` made. */
export function routedOf(handler: object | undefined): RoutedOperation | undefined {
  if (handler === undefined) return undefined;
  return Reflect.get(handler, ROUTED) as RoutedOperation | undefined;
}

async function sendFreely(): Promise<void> {}

export function attemptFor(
  routed: RoutedOperation,
  context: OperationContext,
  beforeSend: Attempt["beforeSend"] = sendFreely,
): Attempt {
  const { spec, honoursKeys } = routed;
  const { idempotencyKey } = context;
  return {
    effect: spec.effect,
    isRepeatable: isRepeatable(spec) || (honoursKeys && idempotencyKey !== undefined),
    idempotencyKey,
    identity: context.identity,
    // Making a signal costs more than the rest of this, and not every route asks for one.
    get signal() {
      return context.signal;
    },
    deadline: context.deadline,
    beforeSend,
    waits: { ms: 0 },
    call: context,
  };
}

/** A nested call sees of an answer no more than its envelope, so the envelope says the rest. */
function withFacts(
  { data, meta }: ResponseEnvelope,
  { serverDate, nextCursor }: Routed,
): ResponseEnvelope {
  const facts = {
    ...(serverDate !== undefined && { serverDate }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
  return { data, meta: { ...meta, ...facts } };
}

/** A call of a routed handler that somebody watches. */
export interface WatchedRoutes {
  readonly timeline: Timeline | undefined;
  /** How it ended. */
  routed: Routed | undefined;
}

/** The operation as any handler is: what nested calls and the call protocol see of it. */
export function routedHandler(
  routed: RoutedOperation,
  retry: RetryPolicy = DEFAULT_RETRY,
  watchedOf?: (context: OperationContext) => WatchedRoutes | undefined,
): OperationHandler {
  const handler: OperationHandler = async (input, context): Promise<ResponseEnvelope> => {
    const params = input as Record<string, unknown>;
    const request: RoutedRequest = { params, identity: context.identity };
    const watched = watchedOf?.(context);
    const settle = await routed.settler(request, context);
    const ended = await attemptRoutes(await routed.choices(request), {
      capability: routed.spec.id,
      attempt: attemptFor(routed, context, async () => void (await settle?.ready())),
      retry,
      onAuthFailure: (route) => routed.onAuthFailure(route),
      timeline: watched?.timeline,
      ...(settle !== undefined && { settle }),
    });
    if (watched !== undefined) watched.routed = ended;
    if (ended.response !== undefined) return withFacts(ended.response, ended);
    throw (
      ended.error ?? new CallError("EXECUTION_ERROR", `${routed.spec.id} ended without an answer`)
    );
  };
  Object.defineProperty(handler, ROUTED, { value: routed });
  return handler;
}
