import { createApprover } from "@waybill/core";
import type { Approver } from "@waybill/core";
import { approverKey } from "./approver-key.ts";

/** Approvals that outlive this process, by a key that only the user can read and the first makes. */
export function stateApprover(folder: string, now: () => number = Date.now): Approver {
  return createApprover({ key: () => approverKey(folder), now });
}
