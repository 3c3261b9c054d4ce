export const ISSUE_KINDS = [
  "HANDLER_UNREACHABLE",
  "DYNAMIC_EDGE_UNKNOWN",
  "BROKEN_EXPORT_CHAIN",
  "CIRCULAR_REEXPORT",
  "ORPHAN_EXPORT",
  "ENTRY_MISSING_HANDLER",
  "NOT_REGISTERED",
  "CYCLE_RISK",
  "CIRCULAR_DEPENDENCY",
  "LAYER_VIOLATION",
  "UNRESOLVED_IMPORT",
  "UNUSED_DEPENDENCY",
  "UNLISTED_DEPENDENCY",
] as const;
export type IssueKind = (typeof ISSUE_KINDS)[number];

export const SEVERITIES = ["info", "warning", "error"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whether a severity is at least the requested one. */
export function isAtLeast(severity: Severity, wanted: Severity | undefined): boolean {
  return wanted === undefined || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(wanted);
}
