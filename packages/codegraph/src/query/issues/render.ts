import type { GraphView } from "../answer/view.ts";
import type { Issue } from "./issue.ts";

/** An issue in the form of the tools. */
export interface IssueItem {
  readonly id: string;
  readonly kind: string;
  readonly severity: string;
  readonly file: string;
  readonly line?: number;
  readonly summary: string;
  readonly evidence: readonly string[];
  readonly suggestedFix: readonly string[];
}

export function issueItem(view: GraphView, issue: Issue): IssueItem {
  const { id, kind, severity, file, finding, rule } = issue;
  return {
    id,
    kind,
    severity,
    file: view.graph.files.path(file),
    ...(finding.line !== undefined && { line: finding.line }),
    summary: rule.summary(view, finding),
    evidence: rule.evidence(view, finding),
    suggestedFix: rule.fixes(view, finding).map(({ description }) => description),
  };
}

/** The short form; issue_explain has the details. */
export function shortItem(view: GraphView, issue: Issue): object {
  const { evidence: _evidence, suggestedFix: _fix, ...item } = issueItem(view, issue);
  return item;
}
