export { Approvals } from "./approvals.ts";
export type { ApprovalRecord, ApprovalStore, PendingApproval } from "./approvals.ts";
export { claimApproval } from "./claim-approval.ts";
export type { ApprovalDesk } from "./claim-approval.ts";
export { assertAllowed, assertCovered } from "./gate.ts";
export { matchesAny, matchesId, patterns } from "./id-pattern.ts";
export { memoryApprovals } from "./memory-approvals.ts";
export { isListed, mayCall, needsApproval } from "./policy.ts";
export type { Policy } from "./policy.ts";
