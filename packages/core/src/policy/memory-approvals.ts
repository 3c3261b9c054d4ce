import type { ApprovalRecord, ApprovalStore } from "./approvals.ts";

/** Approvals of this process. */
export function memoryApprovals(): ApprovalStore {
  const records = new Map<string, ApprovalRecord>();
  return {
    read: async (id) => records.get(id),
    list: async () => [...records.values()],
    async replace(id, before, after) {
      if (records.get(id) !== before) return false;
      if (after === undefined) records.delete(id);
      else records.set(id, after);
      return true;
    },
  };
}
