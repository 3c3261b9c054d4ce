export { openApprovals } from "./open-approvals.ts";
export type { ApprovalsOptions } from "./open-approvals.ts";
