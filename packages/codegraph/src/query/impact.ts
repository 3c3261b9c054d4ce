import { fail } from "@waybill/core";
import type { CodeGraph } from "../graph/index.ts";
import type { Answer, FollowUp } from "./answer.ts";
import type { ChangedFile } from "./changed-file.ts";
import { completenessOf } from "./completeness.ts";
import type { Completeness } from "./completeness.ts";
import { placeOf } from "./definitions.ts";
import { entrypointItem, isTest, servedIn, servingFiles } from "./entrypoints.ts";
import type { EntrypointItem } from "./entrypoints.ts";
import { affectedBySymbol, dependentsOfFiles, dependentsOfSymbol } from "./impact-reach.ts";
import type { Affected, FileList } from "./impact-reach.ts";
import { publicFiles } from "./public-files.ts";
import { symbolCompleteness } from "./references.ts";
import { assessRisk } from "./risk.ts";
import type { Risk } from "./risk.ts";
import { isIn, scopeMask } from "./scope.ts";
import { findTarget } from "./target.ts";
import type { GraphView } from "./view.ts";

export const IMPACT_PARTS = [
  "directDependents",
  "transitiveImpact",
  "affectedEntrypoints",
  "riskAssessment",
  "symbolRefs",
  "affectedTests",
  "keyPaths",
] as const;
type ImpactPart = (typeof IMPACT_PARTS)[number];

export interface ImpactInput {
  readonly target?: string;
  readonly depth?: number;
  readonly include?: readonly ImpactPart[];
  readonly changedSince?: string;
  readonly limit?: number;
  readonly scope?: string;
}

/** What a question about impact starts from. */
interface Subject {
  readonly target: string;
  readonly targetType: "file" | "symbol" | "diff";
  readonly files: readonly number[];
  readonly affected: Affected;
  /** All that depends on it, however far away, and itself. */
  readonly all: FileList;
  readonly known: Completeness;
  /** The symbol, as other tools take it. */
  readonly symbol?: string;
}

const BESIDE = [5, 3, 1, 0];
const DEFAULT_PARTS: readonly ImpactPart[] = [
  "directDependents",
  "transitiveImpact",
  "affectedEntrypoints",
  "affectedTests",
  "riskAssessment",
];

function subjectOf(view: GraphView, given: string, depth: number): Subject {
  const { graph } = view;
  const target = findTarget(view, given);
  const path = graph.files.path(target.file);
  const files = [target.file];
  if (target.type === "file") {
    const known = completenessOf(graph, path);
    const dependents = dependentsOfFiles(graph, files, depth);
    return { target: path, targetType: "file", files, ...dependents, known };
  }
  const symbol = placeOf(graph, target.definition);
  const affected = affectedBySymbol(graph, target.definition, depth);
  const known = symbolCompleteness(graph, target.definition);
  const all = dependentsOfSymbol(graph, target.definition);
  return { target: symbol, targetType: "symbol", files, affected, all, known, symbol };
}

export function diffSubject(
  graph: CodeGraph,
  changed: readonly ChangedFile[],
  since: string,
  depth: number,
): Subject {
  const files = changed.flatMap(({ path }) => graph.files.find(path) ?? []);
  const dependents = dependentsOfFiles(graph, files, depth);
  const target = `${changed.length} files changed since ${since}`;
  return { target, targetType: "diff", files, ...dependents, known: completenessOf(graph, "") };
}

export function entrypointsReached(graph: CodeGraph, files: FileList): EntrypointItem[] {
  const serving = servingFiles(graph);
  return Array.from(files.filter((file) => serving[file] === 1)).flatMap((file) =>
    servedIn(graph, file).map((row) => entrypointItem(graph, row)),
  );
}

export function testsReached(graph: CodeGraph, files: FileList): string[] {
  return Array.from(
    files.filter((file) => isTest(graph, file)),
    (file) => graph.files.path(file),
  );
}

/** Chains from what is affected furthest out back to the target. */
function keyPaths(graph: CodeGraph, { affected, files: targets }: Subject): string[][] {
  const ends = affected.files.filter((file) => servedIn(graph, file).length > 0);
  const outermost = ends.length > 0 ? ends : affected.files.slice(-1);
  return Array.from(outermost.slice(0, 3), (end) => {
    const chain: number[] = [];
    for (let at: number | undefined = end; at !== undefined && at >= 0;) {
      chain.push(at);
      if (targets.includes(at)) break;
      at = affected.via(at);
    }
    if (!targets.includes(chain.at(-1)!)) chain.push(targets[0]!);
    return chain.map((file) => graph.files.path(file));
  });
}

/** What serves or tests something and is among what is affected. */
interface Reached {
  readonly entrypoints: readonly EntrypointItem[];
  readonly tests: readonly string[];
}

export function riskOf(
  { graph }: GraphView,
  { affected, files, all, known }: Subject,
  { entrypoints, tests }: Reached,
): Risk {
  return assessRisk({
    direct: affected.direct.length,
    affected: all.length - files.length,
    modules: graph.files.count,
    entrypoints: entrypoints.length,
    tests: tests.length,
    isPublic: files.some((file) => publicFiles(graph)[file] === 1),
    known,
  });
}

function followUps(view: GraphView, { affected, symbol, target, targetType }: Subject): FollowUp[] {
  const [first] = affected.direct;
  if (symbol !== undefined) {
    return [{ tool: "references", args: { symbol }, reason: "each place, with its line" }];
  }
  if (targetType === "diff" || first === undefined) return [];
  const args = { from: view.graph.files.path(first), to: target, includeEdgeDetails: true };
  return [{ tool: "path", args, reason: "how the first one depends on it" }];
}

async function subjectFor(
  view: GraphView,
  input: ImpactInput,
  signal?: AbortSignal,
): Promise<Subject> {
  const { target, changedSince, depth = 3 } = input;
  if (target !== undefined) return subjectOf(view, target, depth);
  if (changedSince === undefined) {
    throw fail("VALIDATION", "Pass a target, or changedSince", {
      issues: [{ path: "/target", message: "is required without changedSince", missing: true }],
    });
  }
  const changed = await view.changedSince(changedSince, signal);
  return diffSubject(view.graph, changed, changedSince, depth);
}

/** What a change of a file, of a symbol or of a diff would touch. */
export async function impact(
  view: GraphView,
  input: ImpactInput,
  signal?: AbortSignal,
): Promise<Answer<number>> {
  const { graph } = view;
  const { include = DEFAULT_PARTS, limit = 10, depth = 3 } = input;
  const subject = await subjectFor(view, input, signal);
  const mask = scopeMask(view, input.scope);
  const { affected } = subject;
  const wants = (part: ImpactPart): boolean => include.includes(part);
  const direct = affected.direct.filter((file) => isIn(mask, file));
  const entrypoints = entrypointsReached(graph, subject.all);
  const tests = testsReached(graph, subject.all);
  const risk = wants("riskAssessment") ? riskOf(view, subject, { entrypoints, tests }) : undefined;
  return {
    items: wants("directDependents") ? direct : [],
    // Without the list that has pages there are none, and nothing to follow up from it.
    limit: wants("directDependents") ? limit : 0,
    levels: BESIDE.length - 1,
    ...(wants("directDependents") && { next: followUps(view, subject) }),
    limits: { maxItems: limit, maxDepth: depth },
    render: (shown, level) => {
      const most = BESIDE[level]!;
      return {
        target: subject.target,
        targetType: subject.targetType,
        ...(wants("directDependents") && {
          directDependents: shown.map((file) => graph.files.path(file)),
          directDependentsTotal: direct.length,
        }),
        ...(wants("transitiveImpact") && {
          transitiveImpact: Object.fromEntries(
            affected.byDepth.map((count, at) => [`depth${at + 1}`, count]),
          ),
        }),
        ...(wants("affectedEntrypoints") && {
          affectedEntrypoints: entrypoints.slice(0, most),
          ...(entrypoints.length > most && { affectedEntrypointsTotal: entrypoints.length }),
        }),
        ...(wants("affectedTests") && {
          affectedTests: tests.slice(0, most),
          ...(tests.length > most && { affectedTestsTotal: tests.length }),
        }),
        ...(wants("symbolRefs") && { symbolRefs: symbolRefs(graph, subject) }),
        ...(risk !== undefined && { riskAssessment: risk }),
        ...(wants("keyPaths") && { keyPaths: keyPaths(graph, subject) }),
        ...subject.known,
      };
    },
  };
}

/** How often each export of the target is imported. */
function symbolRefs(graph: CodeGraph, { files }: Subject): Record<string, number> {
  const refs: Record<string, number> = {};
  for (const file of files) {
    for (const row of graph.exports.inFile(file)) {
      const count = graph.bindings.ofExport(graph.exports.definition(row)).length;
      if (count > 0) refs[graph.exports.name(row)] = count;
    }
  }
  return Object.fromEntries(
    Object.entries(refs)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 20),
  );
}
