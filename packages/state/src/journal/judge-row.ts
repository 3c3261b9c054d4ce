import { judgeRecord } from "@waybill/core/protocol";
import type { JournalRuling } from "@waybill/core/protocol";
import { isProvablyDead } from "../files/owner.ts";
import type { CallRow } from "./schema.ts";

/** Decides what an existing row means for a new call. */
export function judge(row: CallRow | undefined, digest: string, now: number): JournalRuling {
  if (row === undefined) return judgeRecord(undefined, digest, () => false);
  const isDead = (): boolean => row.lease_until <= now || isProvablyDead(row.owner);
  const { request_id: requestId, probed_at: probedAt } = row;
  return judgeRecord({ ...row, requestId, probedAt }, digest, isDead, now);
}
