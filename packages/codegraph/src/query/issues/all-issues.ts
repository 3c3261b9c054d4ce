import { isNamedLanguage } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { compileScope } from "../../patterns/index.ts";
import type { Ignore } from "../../annotations/index.ts";
import { textHash } from "../answer/cursor.ts";
import { ISSUE_KINDS, SEVERITIES } from "../answer/issue-kinds.ts";
import type { IssueKind } from "../answer/issue-kinds.ts";
import type { GraphView } from "../answer/view.ts";
import { brokenExportChain } from "./broken-export-chain.ts";
import { circularDependency, circularReexport, cycleRisk } from "./circles.ts";
import { unlistedDependency, unusedDependency } from "./dependency-issues.ts";
import { entryMissingHandler } from "./entry-missing-handler.ts";
import { dynamicEdgeUnknown, unresolvedImport } from "./gap-issues.ts";
import { handlerUnreachable } from "./handler-unreachable.ts";
import type { Finding, Issue, IssueRule } from "./issue.ts";
import { layerViolation } from "./layer-violation.ts";
import { notRegistered } from "./not-registered.ts";
import { orphanExport } from "./orphan-export.ts";

const RULES: Readonly<Record<IssueKind, IssueRule>> = {
  HANDLER_UNREACHABLE: handlerUnreachable,
  DYNAMIC_EDGE_UNKNOWN: dynamicEdgeUnknown,
  BROKEN_EXPORT_CHAIN: brokenExportChain,
  CIRCULAR_REEXPORT: circularReexport,
  ORPHAN_EXPORT: orphanExport,
  ENTRY_MISSING_HANDLER: entryMissingHandler,
  NOT_REGISTERED: notRegistered,
  CYCLE_RISK: cycleRisk,
  CIRCULAR_DEPENDENCY: circularDependency,
  LAYER_VIOLATION: layerViolation,
  UNRESOLVED_IMPORT: unresolvedImport,
  UNUSED_DEPENDENCY: unusedDependency,
  UNLISTED_DEPENDENCY: unlistedDependency,
};

/** The kinds that are not checked before symbols are complete. */
export function kindsLeftOut({ info }: CodeGraph): readonly IssueKind[] {
  if (info.phase !== "modules") return [];
  return ISSUE_KINDS.filter((kind) => RULES[kind].needsEntrypoints === true);
}

function getInitials(kind: IssueKind): string {
  return kind
    .split("_")
    .map((word) => word[0]!)
    .join("");
}

/** Kind, file and subject form the id. A line number would change with every edit above it. */
class Ids {
  readonly #seen = new Map<string, number>();

  idFor(graph: CodeGraph, kind: IssueKind, { file, subject }: Finding): string {
    const base = `${getInitials(kind)}-${textHash(`${kind}\n${graph.files.path(file)}\n${subject}`)}`;
    const count = (this.#seen.get(base) ?? 0) + 1;
    this.#seen.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  }
}

function findAll(view: GraphView): Issue[] {
  const issues: Issue[] = [];
  const ids = new Ids();
  const leftOut = kindsLeftOut(view.graph);
  for (const kind of ISSUE_KINDS) {
    const rule = RULES[kind];
    if (leftOut.includes(kind)) continue;
    for (const finding of rule.find(view)) {
      // Vendored and generated files are fixed elsewhere.
      if (view.graph.files.kind(finding.file) === "generated") continue;
      // Languages that are resolved by name are skipped, because too little is known about them.
      if (isNamedLanguage(view.graph.files.language(finding.file))) continue;
      const id = ids.idFor(view.graph, kind, finding);
      const severity = finding.severity ?? rule.severity;
      issues.push({ id, kind, severity, file: finding.file, finding, rule });
    }
  }
  return issues.toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
}

function isIgnored(graph: CodeGraph, issue: Issue, ignores: readonly Ignore[]): boolean {
  return ignores.some(({ issueId, kind, path }) => {
    if (issueId !== undefined) return issueId === issue.id;
    if (kind !== undefined && kind !== issue.kind) return false;
    return path === undefined || compileScope(path).matches(graph.files.path(issue.file));
  });
}

interface Kept {
  readonly rules: GraphView["rules"];
  readonly ignores: GraphView["ignores"];
  readonly issues: readonly Issue[];
}

const known = new WeakMap<CodeGraph, Kept>();

/** Every issue that is not ignored, errors first. Cached for each graph. */
export function allIssues(view: GraphView): readonly Issue[] {
  const { graph, rules, ignores } = view;
  const kept = known.get(graph);
  if (kept?.rules === rules && kept.ignores === ignores) return kept.issues;
  const issues = findAll(view).filter((issue) => !isIgnored(graph, issue, ignores));
  known.set(graph, { rules, ignores, issues });
  return issues;
}
