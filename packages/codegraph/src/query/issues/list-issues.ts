import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { pendingReasons } from "../completeness/completeness.ts";
import { isAtLeast } from "../answer/issue-kinds.ts";
import type { IssueKind, Severity } from "../answer/issue-kinds.ts";
import { issueItem, allIssues, kindsLeftOut, shortItem } from "./index.ts";
import type { Issue } from "./index.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import type { GraphView } from "../answer/view.ts";

export interface IssuesInput {
  readonly kind?: IssueKind;
  readonly severity?: Severity;
  readonly limit?: number;
  readonly groupBy?: "none" | "kind" | "severity" | "file";
  readonly changedSince?: string;
  readonly scope?: string;
}

function countBy(found: readonly Issue[], key: (issue: Issue) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const issue of found) counts[key(issue)] = (counts[key(issue)] ?? 0) + 1;
  return counts;
}

function grouped(
  view: GraphView,
  shown: readonly Issue[],
  groupBy: "kind" | "severity" | "file",
  item: (issue: Issue) => object,
): Record<string, object[]> {
  const groups: Record<string, object[]> = {};
  for (const issue of shown) {
    const key = groupBy === "file" ? view.graph.files.path(issue.file) : issue[groupBy];
    (groups[key] ??= []).push(item(issue));
  }
  return groups;
}

function followUps([first]: readonly Issue[]): FollowUp[] {
  if (first === undefined) return [];
  return [
    { tool: "issue_explain", args: { issueId: first.id }, reason: "evidence and ways to fix it" },
    { tool: "issue_fixplan", args: { issueIds: [first.id] }, reason: "a plan with edits" },
  ];
}

/** Refuses a kind that was not checked, because an empty list would be wrong. */
function assertLookedFor(graph: CodeGraph, kind: IssueKind | undefined): void {
  if (kind === undefined || !kindsLeftOut(graph).includes(kind)) return;
  throw fail("NOT_READY", `${kind} is known only once the symbols are read`, {
    hint: "Ask again shortly, or without a kind to see issues that need no symbols",
  });
}

function issueFiles({ file, finding }: Issue): readonly number[] {
  return finding.files ?? [file];
}

/** The checks that are off or not finished, if any. */
function lookedFor(view: GraphView): object {
  const notLookedFor = kindsLeftOut(view.graph);
  const isAll = notLookedFor.length === 0;
  const why = [...pendingReasons(view), ...(isAll ? [] : ["symbols not read yet"])];
  if (why.length === 0) return {};
  return { completeness: "lower-bound", why, ...(!isAll && { notLookedFor }) };
}

/** Lists the issues, errors first. */
export async function issues(
  view: GraphView,
  input: IssuesInput,
  signal?: AbortSignal,
): Promise<Answer<Issue>> {
  const { kind, severity, limit = 20, groupBy = "none", changedSince } = input;
  assertLookedFor(view.graph, kind);
  const changed =
    changedSince === undefined
      ? undefined
      : new Set((await view.changedSince(changedSince, signal)).map(({ path }) => path));
  const mask = scopeMask(view, input.scope);
  const found = allIssues(view).filter(
    (issue) =>
      (kind === undefined || issue.kind === kind) &&
      isAtLeast(issue.severity, severity) &&
      issueFiles(issue).some((file) => isIn(mask, file)) &&
      issueFiles(issue).some((file) => changed?.has(view.graph.files.path(file)) !== false),
  );
  const byKind = countBy(found, (issue) => issue.kind);
  const bySeverity = countBy(found, (issue) => issue.severity);
  return {
    items: found,
    limit,
    levels: 2,
    limits: { maxItems: limit },
    next: followUps(found),
    render: (shown, level) => {
      const item = (issue: Issue): object =>
        level === 0 ? issueItem(view, issue) : shortItem(view, issue);
      return {
        ...(groupBy === "none"
          ? { issues: shown.map(item) }
          : { groups: grouped(view, shown, groupBy, item) }),
        stats: {
          total: found.length,
          returned: shown.length,
          ...(level < 2 && { byKind, bySeverity }),
        },
        ...lookedFor(view),
      };
    },
  };
}
