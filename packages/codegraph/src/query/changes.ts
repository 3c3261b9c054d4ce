import type { CodeGraph } from "../graph/index.ts";
import type { Answer, FollowUp } from "./answer.ts";
import type { ChangedFile } from "./changed-file.ts";
import { definitionOfSymbol } from "./definitions.ts";
import { diffSubject, entrypointsReached, riskOf, testsReached } from "./impact.ts";
import { issuesOf, shortItem } from "./issues/index.ts";
import type { Issue } from "./issues/index.ts";
import { isIn, scopeMask } from "./scope.ts";
import type { GraphView } from "./view.ts";

export interface ChangesInput {
  /** A git revision, `staged` or `working`. */
  readonly since: string;
  readonly depth?: number;
  readonly limit?: number;
  readonly scope?: string;
}

interface Change {
  readonly path: string;
  readonly status: ChangedFile["status"];
  readonly from?: string;
  readonly symbols: readonly string[];
}

const BESIDE = [8, 4, 2, 0];
const MAX_SYMBOLS = 12;

/** The innermost symbols that the changed lines are in. */
function changedSymbols(graph: CodeGraph, { path, lines }: ChangedFile): string[] {
  const file = graph.files.find(path);
  if (file === undefined) return [];
  const touched = [...graph.symbols.inFile(file)].filter((symbol) => {
    const { line, endLine } = graph.symbols.range(symbol);
    if (graph.symbols.kind(symbol) === "module") return false;
    return lines.some(([first, last]) => first <= endLine && last >= line);
  });
  const outer = new Set(touched.map((symbol) => graph.symbols.parent(symbol)));
  const inner = touched.filter((symbol) => !outer.has(symbol));
  const names = new Set(inner.map((symbol) => definitionOfSymbol(graph, symbol).name));
  return [...names].slice(0, MAX_SYMBOLS);
}

interface IssueChanges {
  readonly added: readonly Issue[];
  readonly fixed: readonly Issue[];
}

/** Lists are made once for a graph, so the same two are compared only once. */
const compared = new WeakMap<readonly Issue[], { old: readonly Issue[]; found: IssueChanges }>();

function compareIssues(old: readonly Issue[], now: readonly Issue[]): IssueChanges {
  const known = compared.get(now);
  if (known?.old === old) return known.found;
  const oldIds = new Set(old.map(({ id }) => id));
  const newIds = new Set(now.map(({ id }) => id));
  const found = {
    added: now.filter(({ id }) => !oldIds.has(id)),
    fixed: old.filter(({ id }) => !newIds.has(id)),
  };
  compared.set(now, { old, found });
  return found;
}

/** Issues by id in the graph as it was and as it is. */
async function issueChanges(
  view: GraphView,
  since: string,
  signal: AbortSignal | undefined,
): Promise<{ changes: IssueChanges; before: GraphView }> {
  const before: GraphView = { ...view, graph: await view.graphAt(since, signal) };
  return { before, changes: compareIssues(issuesOf(before), issuesOf(view)) };
}

function followUps(changed: readonly Change[], added: readonly Issue[]): FollowUp[] {
  const [issue] = added;
  if (issue !== undefined) {
    const reason = "the first new issue";
    return [{ tool: "issue_explain", args: { issueId: issue.id }, reason }];
  }
  const target = changed.find(({ status }) => status === "modified" || status === "added");
  if (target === undefined) return [];
  return [{ tool: "impact", args: { target: target.path }, reason: "what the first one touches" }];
}

/** What changed since a revision, what it touches, and what it broke or mended. */
export async function changes(
  view: GraphView,
  input: ChangesInput,
  signal?: AbortSignal,
): Promise<Answer<Change>> {
  const { graph } = view;
  const { since, depth = 3, limit = 20 } = input;
  const mask = scopeMask(view, input.scope);
  const diff = (await view.changedSince(since, signal)).filter(({ path }) => {
    const file = graph.files.find(path);
    return file === undefined ? mask === undefined : isIn(mask, file);
  });
  const changed = diff.map((file): Change => ({
    path: file.path,
    status: file.status,
    ...(file.from !== undefined && { from: file.from }),
    symbols: changedSymbols(graph, file),
  }));
  const subject = diffSubject(graph, diff, since, depth);
  const { all } = subject;
  const [tests, entrypoints] = [testsReached(graph, all), entrypointsReached(graph, all)];
  const risk = riskOf(view, subject, { entrypoints, tests });
  const { changes: found, before } = await issueChanges(view, since, signal);
  return {
    items: changed,
    limit,
    levels: BESIDE.length - 1,
    limits: { maxItems: limit, maxDepth: depth },
    next: followUps(changed, found.added),
    render: (shown, level) => {
      const most = BESIDE[level]!;
      return {
        since,
        changed: shown,
        changedTotal: changed.length,
        impact: {
          directDependents: subject.affected.direct.length,
          affectedFiles: subject.affected.files.length,
        },
        affectedTests: tests.slice(0, most),
        affectedTestsTotal: tests.length,
        affectedEntrypoints: entrypoints.slice(0, most),
        affectedEntrypointsTotal: entrypoints.length,
        newIssues: found.added.slice(0, most).map((issue) => shortItem(view, issue)),
        newIssuesTotal: found.added.length,
        fixedIssues: found.fixed.slice(0, most).map((issue) => shortItem(before, issue)),
        fixedIssuesTotal: found.fixed.length,
        riskAssessment: risk,
        ...subject.known,
      };
    },
  };
}
