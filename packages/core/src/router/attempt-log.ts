import { agentErrorCode, fail } from "../envelope/index.ts";
import type {
  AttemptMeta,
  CallError,
  ResponseEnvelope,
  Route,
  RouteReason,
} from "../envelope/index.ts";
import { requestCount } from "./request-count.ts";
import { noRouteError, reasonForSkip } from "./preflight.ts";
import type { SkippedRoute } from "./preflight.ts";
import type { RouteAnswer, RouteChoice, Skip } from "./route.ts";
import { roundMilliseconds } from "./timeline.ts";
import type { Timeline } from "./timeline.ts";

/** The result of a call over routes, with every attempt. */
export interface Routed {
  readonly response: ResponseEnvelope | undefined;
  readonly error: CallError | undefined;
  readonly attempts: readonly AttemptMeta[];
  readonly routeUsed: Route | undefined;
  readonly reason: RouteReason | undefined;
  readonly upstreamRequests: number;
  readonly rateLimitRemaining: number | undefined;
  readonly serverDate: number | undefined;
  readonly nextCursor: string | null | undefined;
  /** Bytes that the upstream sent for the answer, if known. */
  readonly rawBytes: number | undefined;
}

/** An answer that does not match the schema. It is used if no other route has a better one. */
export interface Spare {
  readonly route: Route;
  readonly reason: RouteReason | undefined;
  readonly answer: RouteAnswer;
}

function since(start: number): number {
  return roundMilliseconds(performance.now() - start);
}

/** An MCP tool that reports its own error counts as a failed attempt. */
function attemptStatus({
  response: { meta },
}: RouteAnswer): Pick<AttemptMeta, "status" | "error_code"> {
  const isFailure = meta.source === "mcp" && meta.isError;
  return isFailure ? { status: "error", error_code: "UNKNOWN" } : { status: "success" };
}

/** Records every attempt and skip of one call, and the reason for using the final route. */
export class AttemptLog {
  readonly #attempts: AttemptMeta[] = [];
  readonly #skips: SkippedRoute[] = [];
  #routeUsed: Route | undefined;
  #reason: RouteReason | undefined;
  #firstReason: RouteReason | undefined;
  #upstreamRequests = 0;
  #rateLimitRemaining: number | undefined;
  readonly #timeline: Timeline | undefined;

  /** How long the call has waited since the last attempt, for a rate limit or before a retry. */
  #pauseMs = 0;

  readonly #waits: { ms: number } | undefined;

  /** Records more detail than envelopes show. Undefined if there is no observer. */
  constructor(timeline?: Timeline, waits?: { ms: number }) {
    this.#timeline = timeline;
    this.#waits = waits;
  }

  /** Records a pause before the next attempt, as a part of that attempt. */
  paused(start: number): void {
    this.#pauseMs += since(start);
  }

  /**
   * How long this attempt took, and how much of that was waiting. Less than a millisecond of
   * waiting is ignored.
   */
  #times(start: number): Pick<AttemptMeta, "duration_ms" | "waited_ms"> {
    const duration_ms = roundMilliseconds(since(start) + this.#pauseMs);
    const waited_ms = roundMilliseconds((this.#waits?.ms ?? 0) + this.#pauseMs);
    this.#pauseMs = 0;
    if (this.#waits !== undefined) this.#waits.ms = 0;
    return { duration_ms, ...(waited_ms >= 1 && { waited_ms }) };
  }

  skipped(route: Route, skip: Skip, start: number): void {
    this.#skips.push({ route, skip });
    this.#attempts.push({
      route,
      status: "skipped",
      error_code: skip.code,
      duration_ms: since(start),
    });
    const { code: error_code, hint: reason } = skip;
    this.#timeline?.add({ route, status: "skipped", error_code, ...(reason && { reason }) }, start);
    this.#firstReason ??= reasonForSkip(route, skip.code);
  }

  failed(choice: RouteChoice, error: CallError, start: number): void {
    this.#use(choice);
    const error_code = agentErrorCode(error);
    this.#attempts.push({
      route: choice.route,
      status: "error",
      error_code,
      ...this.#times(start),
    });
    const { message: reason } = error;
    this.#timeline?.add({ route: choice.route, status: "error", error_code, reason }, start);
    this.#upstreamRequests += requestCount(error);
    // If the caller requested this route, no preferred route failed before it.
    if (choice.reason !== "DEFAULT_POLICY") this.#firstReason ??= "PREFERRED_ROUTE_FAILED";
  }

  /** `reason` is set if the answer did not come from the route itself. */
  succeeded(choice: RouteChoice, answer: RouteAnswer, start: number, reason?: string): Routed {
    this.#use(choice);
    const { route } = choice;
    const status = attemptStatus(answer);
    this.#attempts.push({ route, ...status, ...this.#times(start) });
    this.#timeline?.add({ route, ...status, ...(reason && { reason }) }, start);
    this.#upstreamRequests += answer.upstreamRequests;
    this.#rateLimitRemaining = answer.rateLimitRemaining;
    const { response, nextCursor, serverDate, rawBytes } = answer;
    return { ...this.#end(), response, nextCursor, serverDate, rawBytes };
  }

  /**
   * Records an answer that does not match the schema. It is kept in case no other route has a
   * better one.
   */
  unfit(choice: RouteChoice, answer: RouteAnswer, start: number): Spare {
    this.failed(choice, fail("SERVER", "The answer does not match the output schema"), start);
    this.#upstreamRequests += answer.upstreamRequests - 1;
    return { route: choice.route, reason: this.#reason, answer };
  }

  endedWith({ route, reason, answer }: Spare): Routed {
    const { response, nextCursor, serverDate, rateLimitRemaining, rawBytes } = answer;
    const kept = { response, nextCursor, serverDate, rateLimitRemaining, rawBytes };
    return { ...this.#end(), ...kept, routeUsed: route, reason };
  }

  /**
   * Records a failed call. Its reason is the first problem of the preferred route, even if no
   * other route ran.
   */
  ended(error: CallError): Routed {
    return { ...this.#end(), error, reason: this.#firstReason ?? this.#reason };
  }

  /** Ends a call whose routes were all skipped. */
  nothingLeft(capability: string): Routed {
    return this.ended(noRouteError(capability, this.#skips));
  }

  /** The reason for using a route is the first problem of the routes before it. */
  #use(choice: RouteChoice): void {
    if (this.#routeUsed === choice.route) return;
    this.#routeUsed = choice.route;
    this.#reason = this.#firstReason ?? choice.reason;
  }

  #end(): Routed {
    return {
      response: undefined,
      error: undefined,
      attempts: this.#attempts,
      routeUsed: this.#routeUsed,
      reason: this.#reason,
      upstreamRequests: this.#upstreamRequests,
      rateLimitRemaining: this.#rateLimitRemaining,
      serverDate: undefined,
      nextCursor: undefined,
      rawBytes: undefined,
    };
  }
}
