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
import type { Timeline } from "./timeline.ts";

/** How a call over routes ended, with every attempt that was made. */
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

/** An answer that does not match the schema. It is used if no other route does better. */
export interface Spare {
  readonly route: Route;
  readonly reason: RouteReason | undefined;
  readonly answer: RouteAnswer;
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 1_000) / 1_000;
}

/** An MCP tool that reports its own error counts as a failed attempt. */
function attemptStatus({
  response: { meta },
}: RouteAnswer): Pick<AttemptMeta, "status" | "error_code"> {
  const isFailure = meta.source === "mcp" && meta.isError;
  return isFailure ? { status: "error", error_code: "UNKNOWN" } : { status: "success" };
}

/** Records every attempt and skip of one call, and why the final route was used. */
export class AttemptLog {
  readonly #attempts: AttemptMeta[] = [];
  readonly #skips: SkippedRoute[] = [];
  #routeUsed: Route | undefined;
  #reason: RouteReason | undefined;
  #firstReason: RouteReason | undefined;
  #upstreamRequests = 0;
  #rateLimitRemaining: number | undefined;
  readonly #timeline: Timeline | undefined;

  readonly #waits: { ms: number } | undefined;

  /**
   * The timeline gets more detail than envelopes show. It is undefined if nobody observes the call.
   */
  constructor(timeline?: Timeline, waits?: { ms: number }) {
    this.#timeline = timeline;
    this.#waits = waits;
  }

  /** How long this attempt waited for its turn. Empty below one millisecond. */
  #waited(): { waited_ms?: number } {
    const waited_ms = this.#waits?.ms ?? 0;
    if (this.#waits !== undefined) this.#waits.ms = 0;
    return waited_ms < 1 ? {} : { waited_ms };
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
      duration_ms: since(start),
      ...this.#waited(),
    });
    const { message: reason } = error;
    this.#timeline?.add({ route: choice.route, status: "error", error_code, reason }, start);
    this.#upstreamRequests += requestCount(error);
    // If the caller asked for this route, it was not a preferred route that failed.
    if (choice.reason !== "DEFAULT_POLICY") this.#firstReason ??= "PREFERRED_ROUTE_FAILED";
  }

  /** `reason` is given if the answer did not come from the route itself. */
  succeeded(choice: RouteChoice, answer: RouteAnswer, start: number, reason?: string): Routed {
    this.#use(choice);
    const { route } = choice;
    const status = attemptStatus(answer);
    this.#attempts.push({ route, ...status, duration_ms: since(start), ...this.#waited() });
    this.#timeline?.add({ route, ...status, ...(reason && { reason }) }, start);
    this.#upstreamRequests += answer.upstreamRequests;
    this.#rateLimitRemaining = answer.rateLimitRemaining;
    const { response, nextCursor, serverDate, rawBytes } = answer;
    return { ...this.#end(), response, nextCursor, serverDate, rawBytes };
  }

  /**
   * Records an answer that does not match the schema. It is kept in case no other route does
   * better.
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
   * Records a failed call. The reason is the first problem of the preferred route, even if no other
   * route ran.
   */
  ended(error: CallError): Routed {
    return { ...this.#end(), error, reason: this.#firstReason ?? this.#reason };
  }

  /** Ends a call whose routes were all skipped. */
  nothingLeft(capability: string): Routed {
    return this.ended(noRouteError(capability, this.#skips));
  }

  /** The reason for a route is the first problem of the routes before it. */
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
