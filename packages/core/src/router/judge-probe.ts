import type { VerifyProbe } from "../cards/index.ts";
import { agentErrorCode, isRecord } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import type { Moment } from "./moment.ts";
import {
  hasMore,
  findList,
  isUnread,
  looksSame,
  reachesBack,
  splitCandidates,
} from "./match-probe.ts";
import type { Look } from "./match-probe.ts";
import type { Trail } from "./journal-trail.ts";

/** A write, and what a read has found about it. */
export interface Evidence {
  readonly probe: VerifyProbe;
  readonly looked: Look;
  /** When the attempt began. Undefined for a write of an earlier call. */
  readonly began: Moment | undefined;
  readonly trail: Trail;
  readonly error: CallError | undefined;
  readonly isLater: boolean;
  /** Whether all values to compare are known. */
  readonly isComparable: boolean;
}

/** The outcome that a read proves. */
export type ProbeVerdict =
  | { readonly outcome: "applied"; readonly found: unknown }
  | { readonly outcome: "not_applied" }
  | { readonly outcome: "unknown"; readonly seen: string };

/**
 * After this time, a sent request has ended, and every read shows its effect. GitHub ends a
 * request after 10 seconds.
 */
const LATE_MS = 15_000;

function unknown(seen: string): ProbeVerdict {
  return { outcome: "unknown", seen };
}

/** The time between two dates of the server, if both dates are known. */
function serverSpan({ looked, trail }: Evidence): number | undefined {
  const { serverDate: then } = trail.known ?? {};
  const { serverDate } = looked.response.meta;
  return then === undefined || serverDate === undefined ? undefined : serverDate - then;
}

/**
 * Checks this machine's clock and the server's clock, because either may have been changed. If
 * this machine's clock was set back, only the server's clock counts.
 */
function isLongAgo(evidence: Evidence): boolean {
  const { sentAt } = evidence.trail;
  const there = serverSpan(evidence);
  const here = sentAt === undefined ? undefined : Date.now() - sentAt;
  const isUsed = here !== undefined && (here >= 0 || there === undefined);
  const spans = [...(isUsed ? [here] : []), ...(there === undefined ? [] : [there])];
  return spans.length > 0 && spans.every((span) => span >= LATE_MS);
}

/** A missing object proves nothing while the request may still be running. */
function ruleOnAbsence(evidence: Evidence, seen: string): ProbeVerdict {
  const { isLater, probe, looked, error } = evidence;
  if (isLater && isLongAgo(evidence)) return { outcome: "not_applied" };
  const isWhole = looked.own === undefined && findList(looked.response.data) !== undefined;
  const isTold = probe.authoritative && isWhole && !hasMore(looked.response);
  const mayBeLate = error === undefined || agentErrorCode(error) === "TIMEOUT";
  return isTold && !mayBeLate ? { outcome: "not_applied" } : unknown(seen);
}

function ruleOnCreated(evidence: Evidence): ProbeVerdict {
  const { probe, looked, began, trail } = evidence;
  const { mine, isUnclear } = splitCandidates(probe, looked, began, trail.known);
  if (mine.length > 1)
    return unknown(`The probe found ${mine.length} objects that this call may have made`);
  if (mine.length === 1) {
    // A match proves nothing if a value could not be compared.
    return !evidence.isComparable
      ? unknown("The probe found a matching object, but cannot tell who created it")
      : { outcome: "applied", found: mine[0] };
  }
  if (isUnclear)
    return unknown("The probe found a matching object that may be older than this call");
  if (isUnread(looked)) return unknown("The probe could not read what contains the object");
  if (looked.own !== undefined && !reachesBack(probe, looked, trail.known)) {
    return unknown("The probe could not read all objects that were created since this call");
  }
  return ruleOnAbsence(evidence, "The probe did not find the object");
}

function ruleOnState(evidence: Evidence): ProbeVerdict {
  const { probe, looked } = evidence;
  const { data } = looked.response;
  if (!isRecord(data)) {
    return looked.own?.container === true
      ? ruleOnAbsence(evidence, "The probe found no such object")
      : unknown("The probe could not read the object");
  }
  // Inputs that were not given are not compared, because the write does not change them.
  const isNothing = Object.keys(probe.same).length === 0;
  const looks = isNothing ? "unclear" : looksSame(data, probe.same);
  if (looks === "mine") return { outcome: "applied", found: data };
  if (looks === "unclear")
    return unknown("The probe could not compare the object with all inputs of this call");
  return ruleOnAbsence(evidence, "The object is not as requested");
}

function ruleOnGone(evidence: Evidence): ProbeVerdict {
  const { own, response } = evidence.looked;
  const value = own?.value ?? null;
  const isMissing = value === null || (Array.isArray(value) && value.length === 0);
  if (!isMissing) return ruleOnAbsence(evidence, "The object is still there");
  return own?.container === true && !hasMore(response)
    ? { outcome: "applied", found: {} }
    : unknown(
        "The probe did not find the object, but could not read everything that may contain it",
      );
}

/** Decides what a read proves about a write. This depends on the card's kind of `verify`. */
export function judgeProbe(evidence: Evidence): ProbeVerdict {
  const { kind, reads } = evidence.probe;
  if (kind === "gone") return ruleOnGone(evidence);
  return kind === "state" && reads.length > 0 ? ruleOnState(evidence) : ruleOnCreated(evidence);
}
