import {
  ERROR_CODES,
  agentErrorCode,
  errorFromUnknown,
  fail,
  mayHelpLater,
} from "../envelope/index.ts";
import type { CallError, ErrorCode, Outcome, ResponseEnvelope, Route } from "../envelope/index.ts";
import { AttemptLog } from "./attempt-log.ts";
import type { Routed, Spare } from "./attempt-log.ts";
import { retryDelay, wait } from "./backoff.ts";
import type { RetryPolicy } from "./backoff.ts";
import { now } from "./moment.ts";
import type { Moment } from "./moment.ts";
import { lateSkip } from "./preflight.ts";
import type { Attempt, RouteAnswer, RouteChoice, Skip } from "./route.ts";
import type { Timeline } from "./timeline.ts";

/** The data that all attempts of one call share. */
export interface RoutedCall {
  readonly capability: string;
  readonly attempt: Attempt;
  readonly retry: RetryPolicy;
  /** Called before another attempt, with the outcome of the last attempt. */
  readonly onAgain?: (outcome: Outcome) => Promise<void>;
  /** Whether an earlier call may have applied this write. */
  readonly isDoubtful?: boolean | undefined;
  /**
   * Finds out by reading whether a write with an unknown outcome was applied. Undefined if that
   * is not possible.
   */
  readonly settle?: Pick<Settler, "settle" | "reads">;
  /** Whether an answer matches the output schema. If it does not, a read tries its next route. */
  readonly conforms?: (response: ResponseEnvelope) => boolean;
  /** Called if credentials were refused, so that cached facts about them are dropped. */
  readonly onAuthFailure?: (route: Route) => void;
  /** Records the timeline of the call. Undefined if there is no observer. */
  readonly timeline?: Timeline | undefined;
}

/** Finds out by reading whether a write with an unknown outcome was applied. */
export interface Settler {
  /**
   * Finds out whether a failed attempt was applied. `route` is the route that lost the response.
   */
  settle(error?: CallError, began?: Moment, route?: Route): Promise<Settled>;
  /**
   * Resolves when everything that must be read before the write has been read. The value is what
   * a later call needs to find out whether the write was applied.
   */
  ready(): Promise<string>;
  /** How many reads were made so far, before and after the write. */
  readonly reads: number;
}

/** The result of finding out whether a write was applied. */
export type Settled =
  | { readonly outcome: "applied"; readonly answer: RouteAnswer }
  /**
   * The write was applied, but the object that was found is not a valid output of the
   * capability.
   */
  | { readonly outcome: "applied"; readonly answer?: undefined; readonly error: CallError }
  | { readonly outcome: "not_applied" }
  /**
   * The write may still arrive. It is idempotent and belongs to an earlier call, so it may be sent
   * again.
   */
  | { readonly outcome: "send_again" }
  /** The outcome stays unknown. `seen` says why in one sentence. */
  | { readonly outcome: "unknown"; readonly seen?: string };

/** The outcome of a failed attempt. A read changes nothing, so it is `not_applied`. */
function attemptOutcome(error: CallError, call: RoutedCall): Outcome {
  if (call.attempt.effect === "read") return "not_applied";
  return error.details.outcome ?? "unknown";
}

/**
 * The main rule of write safety: a write is sent again only if it was not applied or is safe to
 * repeat.
 */
function maySendAgain(outcome: Outcome, call: RoutedCall): boolean {
  if (outcome === "applied") return false;
  return outcome === "not_applied" || call.attempt.isRepeatable;
}

/** An unknown outcome stays unknown: a later refusal does not say what the first attempt did. */
function withWorst(error: CallError, worst: Outcome, seen: string | undefined): CallError {
  if (worst === "not_applied" || error.details.outcome === "applied") return error;
  const probe = error.details.probe ?? seen;
  return error.with({ outcome: worst, ...(probe !== undefined && { probe }) });
}

/**
 * Does not retry after a timeout. Another attempt would probably time out too, and three
 * attempts would take three times as long.
 */
function tookAllItsTime(error: CallError): boolean {
  const { status, outcome } = error.details;
  return agentErrorCode(error) === "TIMEOUT" && status === undefined && outcome !== "not_applied";
}

const MAY_SAY_DONE: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "CONFLICT", "VALIDATION"]);

/** The reason shown for a write that was applied although its route failed. */
const FOUND = "A read showed that it was applied";

type RouteEnd =
  | { readonly done: Routed }
  | { readonly done: undefined; readonly error: CallError; readonly mayFallBack: boolean };

class CallOverRoutes {
  readonly #call: RoutedCall;
  readonly #log: AttemptLog;
  #waited = 0;
  #worst: Outcome;
  /**
   * Describes the result of the last read. It is kept, because a later attempt may fail before
   * there is another one.
   */
  #seen: string | undefined;
  #spare: Spare | undefined;

  constructor(call: RoutedCall) {
    this.#call = call;
    this.#worst = call.isDoubtful === true ? "unknown" : "not_applied";
    this.#log = new AttemptLog(call.timeline, call.attempt.waits);
  }

  async run(choices: readonly RouteChoice[]): Promise<Routed> {
    let last: CallError | undefined;
    for (const [index, choice] of choices.entries()) {
      const start = performance.now();
      const skip = await choice.preflight();
      if (skip !== undefined) {
        this.#log.skipped(choice.route, skip, start);
        continue;
      }
      const end = await this.#tryRoute(choice, index < choices.length - 1);
      if (end.done !== undefined) return end.done;
      last = end.error;
      if (!end.mayFallBack) break;
    }
    if (this.#spare !== undefined) return this.#log.endedWith(this.#spare);
    return last === undefined
      ? this.#log.nothingLeft(this.#call.capability)
      : this.#log.ended(withWorst(last, this.#worst, this.#seen));
  }

  async #tryRoute(choice: RouteChoice, hasNext: boolean): Promise<RouteEnd> {
    for (let failures = 1; ; failures++) {
      const start = performance.now();
      const began = now();
      try {
        const answer = await choice.run(this.#call.attempt);
        return this.#accept(choice, answer, start, hasNext);
      } catch (thrown) {
        const error = errorFromUnknown(thrown);
        const skip = lateSkip(error);
        if (skip !== undefined) return await this.#skip(choice, skip, error, start);
        this.#log.failed(choice, error, start);
        const end = await this.#afterFailure(choice, error, began, failures);
        if (end !== undefined) return end;
      }
    }
  }

  async #skip(
    { route }: RouteChoice,
    skip: Skip,
    error: CallError,
    start: number,
  ): Promise<RouteEnd> {
    this.#log.skipped(route, skip, start);
    await this.#call.onAgain?.("not_applied");
    return { done: undefined, error, mayFallBack: true };
  }

  /**
   * Keeps an answer that does not match its schema. It is returned if no other route has a
   * better one.
   */
  #accept(choice: RouteChoice, answer: RouteAnswer, start: number, hasNext: boolean): RouteEnd {
    const { attempt, conforms } = this.#call;
    const isGood = attempt.effect !== "read" || (conforms?.(answer.response) ?? true);
    if (isGood || !hasNext) return { done: this.#log.succeeded(choice, answer, start) };
    const error = fail("SERVER", `The ${choice.route} answer does not match the output schema`);
    const spare = this.#log.unfit(choice, answer, start);
    this.#spare ??= spare;
    return { done: undefined, error, mayFallBack: true };
  }

  /** Decides what to do after a failure: end, or try the same route again (undefined). */
  async #afterFailure(
    choice: RouteChoice,
    thrown: CallError,
    began: Moment,
    failures: number,
  ): Promise<RouteEnd | undefined> {
    const { call, outcome, error, settled } = await this.#judge(choice, thrown, began);
    if (settled !== undefined) {
      return { done: this.#log.succeeded(choice, settled, performance.now(), FOUND) };
    }
    const code = agentErrorCode(error);
    if (code === "AUTH") call.onAuthFailure?.(choice.route);
    if (outcome === "unknown") this.#worst = "unknown";
    const maySend = maySendAgain(outcome, call) && !call.attempt.signal.aborted;
    const mayHelp = mayHelpLater(code, error.details);
    if (maySend && mayHelp && (await this.#waitFor(choice, error, failures))) {
      await call.onAgain?.(outcome);
      return undefined;
    }
    const mayFallBack = maySend && ERROR_CODES[code].fallsBack;
    if (mayFallBack) await call.onAgain?.(outcome);
    return { done: undefined, error, mayFallBack };
  }

  async #judge(
    { route }: RouteChoice,
    error: CallError,
    began: Moment,
  ): Promise<{ call: RoutedCall; outcome: Outcome; error: CallError; settled?: RouteAnswer }> {
    const call = this.#call;
    const outcome = attemptOutcome(error, call);
    const mayBeDone = outcome === "unknown" || this.#maySayDone(error);
    if (!mayBeDone || call.settle === undefined) return { call, outcome, error };
    const settled = await call.settle.settle(error, began, route);
    if (settled.outcome !== "applied") {
      const told = settled.outcome === "not_applied" ? settled.outcome : outcome;
      const seen = settled.outcome === "unknown" ? settled.seen : undefined;
      const more = seen === undefined ? {} : { probe: seen };
      this.#seen = seen ?? this.#seen;
      return { call, outcome: told, error: error.with({ outcome: told, ...more }) };
    }
    return settled.answer === undefined
      ? { call, outcome: "applied", error: settled.error }
      : { call, outcome: "applied", error, settled: settled.answer };
  }

  /**
   * After an attempt with an unknown outcome, a refusal may mean that the attempt was applied: a
   * deleted object is not found, and a created object already exists.
   */
  #maySayDone(error: CallError): boolean {
    return this.#worst === "unknown" && MAY_SAY_DONE.has(agentErrorCode(error));
  }

  /**
   * Waits before another attempt. Returns false if the budget or the deadline does not allow
   * one.
   */
  async #waitFor({ route }: RouteChoice, error: CallError, failures: number): Promise<boolean> {
    const { retry, attempt, timeline } = this.#call;
    if (failures >= retry.maxAttempts || tookAllItsTime(error)) return false;
    const delay = retryDelay(retry, failures, error.details);
    const isTooLong = this.#waited + delay > retry.maxWaitMs;
    const isTooLate = attempt.deadline !== undefined && Date.now() + delay >= attempt.deadline;
    if (isTooLong || isTooLate) return false;
    this.#waited += delay;
    const start = performance.now();
    try {
      await wait(delay, attempt.signal);
      return true;
    } catch {
      return false;
    } finally {
      const reason = `before attempt ${failures + 1} of ${retry.maxAttempts}`;
      timeline?.waited(route, agentErrorCode(error), reason, start);
      this.#log.paused(start);
    }
  }
}

/**
 * Tries the routes in order, with checks, retries and fallbacks, and never applies a write
 * twice.
 */
export async function attemptRoutes(
  choices: readonly RouteChoice[],
  call: RoutedCall,
): Promise<Routed> {
  const routed = await new CallOverRoutes(call).run(choices);
  const reads = call.settle?.reads ?? 0;
  return { ...routed, upstreamRequests: routed.upstreamRequests + reads };
}
