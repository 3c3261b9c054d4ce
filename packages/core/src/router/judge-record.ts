import { isRecord } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import { PROBE_PAUSE_MS } from "./journal.ts";
import type { JournalPeek, JournalVerdict, UnknownWrite } from "./journal.ts";
import { readResult } from "./record-result.ts";

/** The record of a keyed call, in every kind of journal. */
export interface JournalRecord {
  /** A digest of the input. It tells a repeated call from a different one. */
  readonly digest: string;
  /** The call that holds the key. */
  readonly requestId: string;
  /** The state of the write. */
  readonly state: "started" | "sent" | "settled" | "unknown";
  /** The recorded ResultEnvelope as JSON. Absent until there is one. */
  readonly result?: string | null | undefined;
  /** Data that the call left for finding out the outcome. Absent if it left none. */
  readonly trail?: string | null | undefined;
  /** When the outcome was last checked. Absent if it was not checked. */
  readonly probedAt?: number | null | undefined;
}

/** The meaning of a record for a new call. For `vacant` and `open`, the journal writes a record. */
export type JournalRuling =
  /** There is no record, or its owner died before it sent anything. */
  | { readonly state: "vacant" }
  /** The outcome is unknown and may be checked now. The journal records `unknown` and the time. */
  | ({ readonly state: "open" } & UnknownWrite)
  | Exclude<JournalVerdict, { state: "owned" }>;

/** Derives the outcome of a write from its result. */
export function resultOutcome(result: ResultEnvelope): Outcome {
  if (result.ok) return "applied";
  const { details } = result.error;
  const outcome = isRecord(details) ? details["outcome"] : undefined;
  return outcome === "not_applied" || outcome === "applied" ? outcome : "unknown";
}
/** If the clock was set back, a check is still allowed. */
function mayProbe({ probedAt }: JournalRecord, now: number): boolean {
  const since = now - (probedAt ?? 0);
  return since >= PROBE_PAUSE_MS || since < 0;
}

function ruleOnUnknown(record: JournalRecord, now: number): JournalRuling {
  const { requestId, trail } = record;
  const write = { requestId, result: readResult(record.result), trail: trail ?? undefined };
  return { state: mayProbe(record, now) ? "open" : "unknown", ...write };
}

function ruleOnSettled(record: JournalRecord, now: number): JournalRuling {
  const result = readResult(record.result);
  const isKnown = result !== undefined && resultOutcome(result) !== "unknown";
  return isKnown ? { state: "settled", result } : ruleOnUnknown(record, now);
}

/**
 * The rule for keys, which all journals share. `isDead` is called only if the result depends on
 * it.
 */
export function judgeRecord(
  record: JournalRecord | undefined,
  digest: string,
  isDead: () => boolean,
  now: number = Date.now(),
): JournalRuling {
  if (record === undefined) return { state: "vacant" };
  const { state, requestId } = record;
  // Nothing was sent, so the key is free for any input.
  if (state === "started" && isDead()) return { state: "vacant" };
  if (record.digest !== digest) return { state: "conflict" };
  switch (state) {
    case "settled":
      return ruleOnSettled(record, now);
    case "unknown":
      return ruleOnUnknown(record, now);
    case "sent":
      return isDead() ? ruleOnUnknown(record, now) : { state: "in_flight", requestId };
    case "started":
      return { state: "in_flight", requestId };
  }
}

/** Converts a ruling for a caller that only asks and changes nothing. */
export function peekAt({ state }: JournalRuling): JournalPeek {
  if (state === "vacant") return "free";
  return state === "open" ? "unknown" : state;
}
