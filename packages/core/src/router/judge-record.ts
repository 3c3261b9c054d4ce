import { isRecord } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import { PROBE_PAUSE_MS } from "./journal.ts";
import type { JournalVerdict, UnknownWrite } from "./journal.ts";
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
  /** The trail that the call left for a probe. Absent if it left none. */
  readonly trail?: string | null | undefined;
  /** When the last probe was made. Absent if there was none. */
  readonly probedAt?: number | null | undefined;
}

/** The meaning of a record for a new call. For `vacant` and `open`, the journal writes a record. */
export type JournalRuling =
  /** There is no record, or its owner died before it sent anything. */
  | { readonly state: "vacant" }
  /** The outcome is unknown and a probe is allowed: the journal records `unknown` and the time. */
  | ({ readonly state: "open" } & UnknownWrite)
  | Exclude<JournalVerdict, { state: "owned" }>;

/** Derives the outcome of a write from its result. */
export function resultOutcome(result: ResultEnvelope): Outcome {
  if (result.ok) return "applied";
  const { details } = result.error;
  const outcome = isRecord(details) ? details["outcome"] : undefined;
  return outcome === "not_applied" || outcome === "applied" ? outcome : "unknown";
}
/** If the clock was set back, probes must still be allowed. */
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
 * The one rule for keys, shared by all journals. `isDead` is called only if the answer depends on
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
