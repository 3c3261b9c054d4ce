import type { ApprovalRecord, ApprovalStore } from "./approvals.ts";

/**
 * Stores approvals in this process.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, memoryApprovals } from "@waybill/core";
 *
 * const remove = defineOperation({
 *   id: "file.remove",
 *   description: "Remove a file",
 *   effect: "destructive",
 *   handler: () => "removed",
 * });
 * const waybill = createWaybill({
 *   operations: [remove],
 *   policy: { confirm: "destructive" },
 *   approvals: memoryApprovals(),
 * });
 * console.log((await waybill.execute("file.remove", {})).error?.code);
 * ```
 *
 * ```text
 * POLICY
 * ```
 */
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
