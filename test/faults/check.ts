// Rules that every call must keep, under any fault.
import type { Outcome, ResultEnvelope } from "@waybill/core";
import type { Fault } from "./faults.ts";
import { LOOKING, PROVING } from "./plan.ts";
import type { RunPlan } from "./plan.ts";
import type { Observed } from "./run.ts";
import type { Met } from "./trail.ts";

/** The upstream's record of one intended write. */
export interface Applied {
  readonly count: number;
  /** The time of the first application, by the clock of this process. */
  readonly at: number | undefined;
}

export type Told = "ok" | Outcome | "nothing" | "lost";

/** The outcome that the caller was told. */
export function toldBy(result: ResultEnvelope | undefined): Told {
  if (result === undefined) return "lost";
  if (result.ok) return "ok";
  return (result.error.details?.["outcome"] as Outcome | undefined) ?? "nothing";
}

/** If one of several fields lost all data, the outcome of the other fields is unknown. */
function isTakenAlong({ plan, met }: Observed): boolean {
  const isLost = met.some(({ fault: { act } }) => "how" in act && act.how === "root-null");
  return isLost && plan.shape === "merged";
}

function isEndedEarly({ plan, isCutShort }: Observed): boolean {
  return isCutShort && plan.fault.act.at !== "call";
}

/** Whether the upstream refused every attempt. If it did, the outcome is certain. */
export function isCertain(observed: Observed): boolean {
  const { met, plan } = observed;
  const isClear = met.every(({ meaning }) => meaning === "not_applied" || meaning === "fine");
  const isAlone = !plan.isPaired && !isTakenAlong(observed) && !isEndedEarly(observed);
  return plan.kind !== "read" && met.length > 0 && isClear && isAlone;
}

/** A request that timed out may still arrive, so a probe that finds nothing proves nothing. */
function isTimeout({ act }: Fault): boolean {
  return "until" in act || ("status" in act && [408, 504].includes(act.status));
}

const SECOND = 1_000;

/**
 * An object from the second in which the attempt began may be another caller's, because dates have
 * no finer resolution. The duration of the read adds to the uncertainty: a second is allowed for it,
 * and on a slow machine all the time up to the end of the call.
 */
function isClearlyAfter(at: number, { at: began }: Met, { probedAt, endedAt }: Observed): boolean {
  const origin = performance.timeOrigin;
  const reading = Math.max(SECOND, probedAt === undefined ? 0 : endedAt - probedAt);
  return Math.floor((origin + at) / SECOND) * SECOND >= origin + began + SECOND + reading;
}

/** Whether a probe could have found out the outcome of the last attempt. */
export function isSettleable(observed: Observed, { count, at }: Applied): boolean {
  const { plan, met, failedProbes, isCutShort, probedAt } = observed;
  const last = met.at(-1);
  if (last?.meaning !== "unknown" || failedProbes > 0 || isCutShort || plan.isPaged) return false;
  // The probe ran before the write was applied, so it could not find it.
  const isTooLate = count > 0 && at! > (probedAt ?? Infinity);
  if (isTooLate && toldBy(observed.result) === "unknown") return false;
  if (count === 0) return isAbsenceTelling(plan) && !isTimeout(last.fault);
  return plan.kind === "watched" || (isLookedFor(plan) && isClearlyAfter(at!, last, observed));
}

/** A duplicate can be recognised only with a list from before the write. */
function isAbsenceTelling({ kind, decoy }: RunPlan): boolean {
  return kind === "watched" || (PROVING.includes(kind) && decoy !== "twin");
}

export function isLookedFor({ kind }: RunPlan): boolean {
  return LOOKING.includes(kind);
}

function isRepeatable({ plan }: Observed): boolean {
  return plan.kind === "read" || plan.kind === "idempotent";
}

/** Checks that the reported outcome is true; `mine` is how often this call was applied. */
function falsehood(told: Told, mine: number): string | undefined {
  if (told === "lost") return "never ended with an envelope";
  if (told === "nothing") return "failed without an outcome";
  if (told === "not_applied" && mine > 0) return "told not_applied, and was applied";
  if ((told === "ok" || told === "applied") && mine === 0)
    return `told ${told}, and was not applied`;
  return undefined;
}

function falseHope({ result }: Observed, told: Told, mine: number): string | undefined {
  if (result?.ok !== false || !result.error.retryable) return undefined;
  if (told === "unknown" || told === "applied") return `${told}, and called retryable`;
  return mine > 0 ? "applied, and called retryable" : undefined;
}

/**
 * A repeat with the same key gets the recorded result. It is sent again only if the key was freed.
 */
function badRepeat({ repeat, result }: Observed, told: Told): string | undefined {
  if (repeat === undefined) return undefined;
  const isReplayed = repeat.meta.replayed === true;
  if (told === "not_applied") return repeat.ok ? undefined : "the freed key could not be used";
  if (!isReplayed) return `told ${told}, and the same key was not answered from the journal`;
  return repeat.ok === result?.ok ? undefined : "the same key gave another result";
}

function readProblem({ result, marker }: Observed): string | undefined {
  if (result === undefined) return "never ended with an envelope";
  if (!result.ok) return undefined;
  const isRight = (result.data as { id?: unknown } | null)?.id === marker;
  return isRight || result.meta.warnings !== undefined ? undefined : "read something else";
}

function writeProblems(observed: Observed, applied: number): (string | undefined)[] {
  const { result, repeat, twin, plan } = observed;
  const told = toldBy(result);
  const others = [repeat, twin].filter((other) => other?.ok === true && !other.meta.replayed);
  const mine = told === "not_applied" ? applied - others.length : applied;
  const isDouble = applied > 1 && plan.kind !== "idempotent";
  return [
    isDouble ? `applied ${applied} times` : undefined,
    falsehood(told, mine),
    isRepeatable(observed) ? undefined : falseHope(observed, told, mine),
    plan.isPaired ? undefined : badRepeat(observed, told),
    isCertain(observed) && told === "unknown" ? "known, and told unknown" : undefined,
  ];
}

/** Returns all problems of a finished call. */
export function problemsWith(observed: Observed, applied: number): string[] {
  const found =
    observed.plan.kind === "read" ? [readProblem(observed)] : writeProblems(observed, applied);
  return found.filter((problem) => problem !== undefined);
}
