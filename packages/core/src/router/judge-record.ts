import type { JournalVerdict } from "./journal.ts";
import { readResult } from "./record-result.ts";

/** What a journal keeps of a call under a key, whatever it keeps it in. */
export interface JournalRecord {
  readonly digest: string;
  readonly requestId: string;
  readonly state: "started" | "sent" | "settled" | "unknown";
  readonly result?: string | null | undefined;
}

/** What a record means for a call that comes now; `vacant` and `lost` ask the journal to write. */
export type JournalRuling =
  /** There is none, or it is that of an owner who died before anything was sent. */
  | { readonly state: "vacant" }
  /** It was sent by an owner who died. */
  | { readonly state: "lost" }
  | Exclude<JournalVerdict, { state: "owned" }>;

function ruleOnSettled({ result, requestId }: JournalRecord): JournalRuling {
  const recorded = readResult(result);
  return recorded === undefined
    ? { state: "unknown", requestId }
    : { state: "settled", result: recorded };
}

/** The one rule of keys, for every journal. `isDead` is asked only of an owner that matters. */
export function judgeRecord(
  record: JournalRecord | undefined,
  digest: string,
  isDead: () => boolean,
): JournalRuling {
  if (record === undefined) return { state: "vacant" };
  const { state, requestId } = record;
  // Nothing was sent, so the key is as good as new, for any input.
  if (state === "started" && isDead()) return { state: "vacant" };
  if (record.digest !== digest) return { state: "conflict" };
  switch (state) {
    case "settled":
      return ruleOnSettled(record);
    case "unknown":
      return { state: "unknown", requestId };
    case "sent":
      return isDead() ? { state: "lost" } : { state: "in_flight", requestId };
    case "started":
      return { state: "in_flight", requestId };
  }
}
