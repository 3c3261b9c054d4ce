export { Faults } from "./fault.ts";
export type { Fault, FaultKind, FaultMatch, Moment } from "./fault.ts";
export { garbage, primaryLimit, secondaryLimit, statusReply } from "./replies.ts";
