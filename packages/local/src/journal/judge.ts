import type { JournalVerdict } from "@waybill/core";
import { isProvablyDead } from "./owner.ts";
import { readResult } from "./record.ts";
import type { CallRow } from "./schema.ts";

/** What a row means for a call that comes now; `vacant` and `lost` ask the journal to write. */
export type Ruling =
  | { readonly state: "vacant"; readonly row?: CallRow }
  | { readonly state: "lost"; readonly row: CallRow }
  | Exclude<JournalVerdict, { state: "owned" }>;

function isDead(row: CallRow, now: number): boolean {
  return row.lease_until <= now || isProvablyDead(row.owner);
}

function ruleOnSettled(row: CallRow): Ruling {
  const result = readResult(row.result);
  return result === undefined
    ? { state: "unknown", requestId: row.request_id }
    : { state: "settled", result };
}

/** The call is under way, or was when its owner died. */
function ruleOnSent(row: CallRow, now: number): Ruling {
  if (isDead(row, now)) return { state: "lost", row };
  return { state: "in_flight", requestId: row.request_id };
}

export function judge(row: CallRow | undefined, digest: string, now: number): Ruling {
  if (row === undefined) return { state: "vacant" };
  // Nothing was sent, so the key is as good as new, for any input.
  if (row.state === "started" && isDead(row, now)) return { state: "vacant", row };
  if (row.digest !== digest) return { state: "conflict" };
  switch (row.state) {
    case "settled":
      return ruleOnSettled(row);
    case "sent":
      return ruleOnSent(row, now);
    case "unknown":
      return { state: "unknown", requestId: row.request_id };
    case "started":
      return { state: "in_flight", requestId: row.request_id };
  }
}
