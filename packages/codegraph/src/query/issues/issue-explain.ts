import { fail } from "@waybill/core";
import { nearestNames } from "@waybill/core/schema";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { plainAnswer } from "../answer/answer.ts";
import { issueItem, allIssues, kindsLeftOut } from "./index.ts";
import type { Issue } from "./index.ts";
import type { GraphView } from "../answer/view.ts";

export interface IssueExplainInput {
  readonly issueId: string;
}

const RELATED = [5, 2, 0];

/** Finds a current issue by id. Fixed issues are not found. */
export function findIssue(view: GraphView, issueId: string): Issue {
  const all = allIssues(view);
  const found = all.find(({ id }) => id === issueId);
  if (found !== undefined) return found;
  if (kindsLeftOut(view.graph).length > 0) {
    throw fail("NOT_READY", `${JSON.stringify(issueId.slice(0, 80))} is not known yet`, {
      hint: "Ask again once the symbols are read: some issues are found only then",
    });
  }
  const near = nearestNames(
    issueId,
    all.slice(0, 5_000).map(({ id }) => id),
  );
  throw fail("NOT_FOUND", `There is no issue ${JSON.stringify(issueId.slice(0, 80))} now`, {
    ...(near.length > 0 && { did_you_mean: near }),
    hint: "graph_issues lists the current issues; a fixed issue is no longer listed",
  });
}

function related(view: GraphView, issue: Issue): Issue[] {
  const others = allIssues(view).filter((other) => other !== issue);
  const sameFile = others.filter(({ file }) => file === issue.file);
  const sameKind = others.filter(({ file, kind }) => file !== issue.file && kind === issue.kind);
  return [...sameFile, ...sameKind];
}

function getSnippet(view: GraphView, issue: Issue): { snippet?: string } {
  const { line } = issue.finding;
  const text = line === undefined ? "" : view.lineText(view.graph.files.path(issue.file), line);
  return text === "" ? {} : { snippet: text };
}

/** Everything about one issue: where, why, its effects, and how to fix it. */
export function issueExplain(view: GraphView, { issueId }: IssueExplainInput): Answer {
  const issue = findIssue(view, issueId);
  const { finding, rule } = issue;
  const { suggestedFix: _fix, evidence, ...shown } = issueItem(view, issue);
  const others = related(view, issue);
  const next: FollowUp[] = [
    { tool: "issue_fixplan", args: { issueIds: [issueId] }, reason: "a plan with edits" },
    { tool: "module", args: { target: shown.file }, reason: "the file it is in" },
  ];
  return plainAnswer(
    (level) => ({
      issue: shown,
      location: { path: shown.file, ...(finding.line !== undefined && { line: finding.line }) },
      evidence: evidence.map((description, at) => ({
        type: "graph",
        description,
        ...(at === 0 && getSnippet(view, issue)),
      })),
      impact: rule.impact(view, finding),
      suggestedFixes: rule.fixes(view, finding),
      relatedIssues: others.slice(0, RELATED[level]).map(({ id, kind }) => ({ id, kind })),
    }),
    { levels: RELATED.length - 1, next },
  );
}
