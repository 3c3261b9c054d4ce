import type { CodeGraph } from "../../graph/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import type { ChangedFile } from "../answer/changed-file.ts";
import { definitionOfSymbol } from "../names/definitions.ts";
import { affectedEntrypoints, getRisk, testsReached } from "./impact.ts";
import { compareIssues } from "./issue-changes.ts";
import type { IssueChanges } from "./issue-changes.ts";
import { allIssues, shortItem } from "../issues/index.ts";
import type { Issue } from "../issues/index.ts";
import { removedFrom } from "./removed-names.ts";
import { scopeInEither } from "../names/scope.ts";
import { diffSubject } from "./impact-subject.ts";
import type { GraphView } from "../answer/view.ts";

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
  /** Names that no longer exist. */
  readonly removed?: readonly string[];
}

/** The two compared states of the tree. */
interface Sides {
  readonly before: GraphView;
  readonly now: GraphView;
}

const BESIDE = [8, 4, 2, 0];
const MAX_SYMBOLS = 12;

/** The innermost symbols that contain changed lines. */
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

/** Reads the states before and after the changes. Staged changes end at the index, others on disk. */
async function readSides(view: GraphView, since: string, signal?: AbortSignal): Promise<Sides> {
  // The earlier graph is loaded even if nothing differs. That costs nothing then, and the result is
  // cached.
  const before = await view.graphAt(since, signal);
  const now = since === "staged" ? await view.graphAt("working", signal) : view.graph;
  return { before: { ...view, graph: before }, now: { ...view, graph: now } };
}

function comparedStates(since: string): string {
  if (since === "staged") return "HEAD with the index";
  return since === "working" ? "the index with the disk" : `${since} with the disk`;
}

function getChange({ before, now }: Sides, file: ChangedFile): Change {
  const removed = removedFrom(now.graph, before.graph, file).slice(0, MAX_SYMBOLS);
  return {
    path: file.path,
    status: file.status,
    ...(file.from !== undefined && { from: file.from }),
    symbols: changedSymbols(now.graph, file),
    ...(removed.length > 0 && { removed: removed.map(({ name }) => name) }),
  };
}

/** The new and fixed issues in the requested files. */
function issueChanges({ before, now }: Sides, isAsked: (path: string) => boolean): IssueChanges {
  const found = compareIssues(allIssues(before), allIssues(now));
  const isShown = ({ graph }: GraphView, { file }: Issue): boolean =>
    isAsked(graph.files.path(file));
  return {
    added: found.added.filter((issue) => isShown(now, issue)),
    fixed: found.fixed.filter((issue) => isShown(before, issue)),
  };
}

/** Suggests the `tests` tool if not all tests are shown. */
function moreTests(since: string, tests: number): FollowUp[] {
  if (tests <= BESIDE[0]!) return [];
  return [{ tool: "tests", args: { since }, reason: "the tests to run" }];
}

/** Suggestions are about the tree on disk. */
function followUps(
  view: GraphView,
  changed: readonly Change[],
  added: readonly Issue[],
): FollowUp[] {
  const ids = new Set(added.map(({ id }) => id));
  const issue = allIssues(view).find(({ id }) => ids.has(id));
  if (issue !== undefined) {
    const reason = "the first new issue";
    return [{ tool: "issue_explain", args: { issueId: issue.id }, reason }];
  }
  const target = changed.find(({ path }) => view.graph.files.find(path) !== undefined);
  if (target === undefined) return [];
  return [
    {
      tool: "impact",
      args: { target: target.path },
      reason: "files that the first change affects",
    },
  ];
}

/** The changes since a revision, the files they affect, and the issues they add or fix. */
export async function changes(
  view: GraphView,
  input: ChangesInput,
  signal?: AbortSignal,
): Promise<Answer<Change>> {
  const { since, depth = 3, limit = 20, scope } = input;
  const all = await view.changedSince(since, signal);
  const isNothing = since === "staged" && all.length === 0;
  const sides = isNothing ? { before: view, now: view } : await readSides(view, since, signal);
  const { before, now } = sides;
  const isAsked = scopeInEither(now, before, scope);
  const diff = all.filter(({ path, from = path }) => isAsked(path) || isAsked(from));
  const changed = diff.map((file) => getChange(sides, file));
  const subject = diffSubject(now, diff, { since, depth, before: before.graph, all });
  const { affected } = subject;
  const struck = new Set(affected.direct.map((file) => now.graph.files.path(file)));
  const { added, fixed } = issueChanges(sides, (path) => isAsked(path) || struck.has(path));
  const newErrors = added.filter(({ severity }) => severity === "error").length;
  const tests = testsReached(now.graph, subject.all);
  const entrypoints = affectedEntrypoints(now.graph, subject);
  const risk = getRisk(now, subject, { entrypoints, tests, newErrors });
  return {
    items: changed,
    limit,
    levels: BESIDE.length - 1,
    limits: { maxItems: limit, maxDepth: depth },
    next: [...followUps(view, changed, added), ...moreTests(since, tests.length)],
    render: (shown, level) => {
      const most = BESIDE[level]!;
      return {
        since,
        compared: comparedStates(since),
        changed: shown,
        changedTotal: changed.length,
        impact: {
          directDependents: affected.direct.length,
          affectedFiles: affected.files.length,
        },
        affectedTests: tests.slice(0, most),
        affectedTestsTotal: tests.length,
        affectedEntrypoints: entrypoints.slice(0, most),
        affectedEntrypointsTotal: entrypoints.length,
        newIssues: added.slice(0, most).map((issue) => shortItem(now, issue)),
        newIssuesTotal: added.length,
        fixedIssues: fixed.slice(0, most).map((issue) => shortItem(before, issue)),
        fixedIssuesTotal: fixed.length,
        riskAssessment: risk,
        ...subject.known,
      };
    },
  };
}
