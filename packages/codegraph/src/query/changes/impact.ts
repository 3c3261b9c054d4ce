import type { CodeGraph } from "../../graph/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { entrypointItem, isTest, servedIn, servingFiles } from "../modules/entrypoints.ts";
import type { EntrypointItem } from "../modules/entrypoints.ts";
import type { FileList } from "./impact-reach.ts";
import { compareIssues } from "./issue-changes.ts";
import { allIssues } from "../issues/index.ts";
import { publicFiles } from "../modules/public-files.ts";
import { assessRisk } from "./risk.ts";
import type { Risk } from "./risk.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { subjectFor } from "./impact-subject.ts";
import type { Subject, SubjectInput } from "./impact-subject.ts";
import type { GraphView } from "../answer/view.ts";

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

export interface ImpactInput extends SubjectInput {
  readonly include?: readonly ImpactPart[];
  readonly limit?: number;
  readonly scope?: string;
}

const BESIDE = [5, 3, 1, 0];
const DEFAULT_PARTS: readonly ImpactPart[] = [
  "directDependents",
  "transitiveImpact",
  "affectedEntrypoints",
  "affectedTests",
  "riskAssessment",
];

function entrypointsReached(graph: CodeGraph, files: FileList): EntrypointItem[] {
  const serving = servingFiles(graph);
  return Array.from(files.filter((file) => serving[file] === 1)).flatMap((file) =>
    servedIn(graph, file).map((row) => entrypointItem(graph, row)),
  );
}

/** The affected entry points: existing ones, and removed ones. */
export function affectedEntrypoints(graph: CodeGraph, { all, gone }: Subject): EntrypointItem[] {
  const served = entrypointsReached(graph, all);
  if (gone === undefined) return served;
  const names = new Set(served.map(({ type, name }) => `${type} ${name}`));
  const lost = entrypointsReached(gone.graph, gone.files);
  return [...served, ...lost.filter(({ type, name }) => !names.has(`${type} ${name}`))];
}

export function testsReached(graph: CodeGraph, files: FileList): string[] {
  return Array.from(
    files.filter((file) => isTest(graph, file)),
    (file) => graph.files.path(file),
  );
}

/** Paths from the most distant affected files back to the target. */
function keyPaths(graph: CodeGraph, { affected, files: targets, gone }: Subject): string[][] {
  const ends = affected.files.filter((file) => servedIn(graph, file).length > 0);
  const outermost = ends.length > 0 ? ends : affected.files.slice(-1);
  return Array.from(outermost.slice(0, 3), (end) => {
    const chain: number[] = [];
    for (let at: number | undefined = end; at !== undefined && at >= 0;) {
      chain.push(at);
      if (targets.includes(at)) break;
      at = affected.via(at);
    }
    const last = chain.at(-1)!;
    const names = chain.map((file) => graph.files.path(file));
    if (targets.includes(last)) return names;
    const origin = gone?.usedBy(last) ?? targets.map((file) => graph.files.path(file))[0];
    return origin === undefined ? names : [...names, origin];
  });
}

/** Affected entry points and tests. */
interface Reached {
  readonly entrypoints: readonly EntrypointItem[];
  readonly tests: readonly string[];
  /** The number of new errors, if known. */
  readonly newErrors?: number;
}

function isPublic(graph: CodeGraph, files: readonly number[]): boolean {
  return files.some((file) => publicFiles(graph)[file] === 1);
}

export function getRisk(
  { graph }: GraphView,
  { affected, files, all, known, gone }: Subject,
  { entrypoints, tests, newErrors = 0 }: Reached,
): Risk {
  return assessRisk({
    direct: affected.direct.length,
    affected: all.length - files.length,
    modules: graph.files.count,
    entrypoints: entrypoints.length,
    tests: tests.length,
    isPublic: isPublic(graph, files) || (gone !== undefined && isPublic(gone.graph, gone.files)),
    newErrors,
    missed: gone?.missed(),
    known,
  });
}

/**
 * New errors, computed only if files were deleted: then the earlier graph is available to compare.
 */
function getNewErrors(view: GraphView, { gone, affected, files }: Subject): number {
  if (gone === undefined) return 0;
  const near = new Set([...files, ...affected.direct]);
  const { added } = compareIssues(allIssues({ ...view, graph: gone.graph }), allIssues(view));
  return added.filter(({ severity, file }) => severity === "error" && near.has(file)).length;
}

function followUps(view: GraphView, subject: Subject, tests: number): FollowUp[] {
  const { affected, symbol, target, targetType } = subject;
  const [first] = affected.direct;
  const more: FollowUp[] =
    tests > BESIDE[0]! && targetType !== "diff"
      ? [{ tool: "tests", args: { target }, reason: "the tests to run" }]
      : [];
  if (symbol !== undefined) {
    return [{ tool: "references", args: { symbol }, reason: "each place, with its line" }, ...more];
  }
  if (targetType === "diff" || first === undefined) return [];
  const args = { from: view.graph.files.path(first), to: target, includeEdgeDetails: true };
  if (targetType !== "file") return more;
  return [{ tool: "path", args, reason: "how the first dependent reaches the target" }, ...more];
}

/** The lists that have pages if only that list is requested. */
const PAGED: ReadonlySet<ImpactPart> = new Set<ImpactPart>([
  "directDependents",
  "transitiveImpact",
  "affectedEntrypoints",
  "affectedTests",
]);

function pagedPart(include: readonly ImpactPart[]): ImpactPart | undefined {
  const [only] = include;
  if (include.length === 1 && only !== undefined && PAGED.has(only)) return only;
  return include.includes("directDependents") ? "directDependents" : undefined;
}

/** Every affected file within the depth, with its distance. */
function dependentItems(graph: CodeGraph, { affected }: Subject): object[] {
  let [depth, left] = [0, 0];
  return Array.from(affected.files, (file) => {
    while (left === 0 && depth < affected.byDepth.length) left = affected.byDepth[depth++]!;
    left -= 1;
    return { path: graph.files.path(file), depth };
  });
}

/** The effects of a change to a file, a symbol or a diff. */
export async function impact(
  view: GraphView,
  input: ImpactInput,
  signal?: AbortSignal,
): Promise<Answer> {
  const { graph } = view;
  const { include = DEFAULT_PARTS, limit = 10, depth = 3 } = input;
  const subject = await subjectFor(view, input, signal);
  const mask = scopeMask(view, input.scope);
  const { affected } = subject;
  const wants = (part: ImpactPart): boolean => include.includes(part);
  const entrypoints = affectedEntrypoints(graph, subject);
  const tests = testsReached(graph, subject.all);
  const direct = affected.direct.filter((file) => isIn(mask, file));
  const lists: Partial<Record<ImpactPart, readonly unknown[]>> = {
    directDependents: direct.map((file) => graph.files.path(file)),
    affectedEntrypoints: entrypoints,
    affectedTests: tests,
  };
  const paged = pagedPart(include);
  const risk = wants("riskAssessment")
    ? getRisk(view, subject, { entrypoints, tests, newErrors: getNewErrors(view, subject) })
    : undefined;
  const items =
    paged === "transitiveImpact" ? dependentItems(graph, subject) : paged ? lists[paged]! : [];
  const list = (part: ImpactPart, shown: readonly unknown[], most: number): object => {
    if (!wants(part)) return {};
    const all = lists[part]!;
    if (part === paged) return { [part]: shown, [`${part}Total`]: all.length };
    return {
      [part]: all.slice(0, most),
      ...(all.length > most && { [`${part}Total`]: all.length }),
    };
  };
  return {
    items,
    // Without a paged list, the answer has no pages and no suggestions.
    limit: paged === undefined ? 0 : limit,
    levels: BESIDE.length - 1,
    ...(wants("directDependents") && { next: followUps(view, subject, tests.length) }),
    limits: { maxItems: limit, maxDepth: depth },
    render: (shown, level) => {
      const most = BESIDE[level]!;
      return {
        target: subject.target,
        targetType: subject.targetType,
        ...list("directDependents", shown, most),
        ...(wants("transitiveImpact") && { transitiveImpact: depthCounts(subject) }),
        ...(paged === "transitiveImpact" && { dependents: shown, dependentsTotal: items.length }),
        ...list("affectedEntrypoints", shown, most),
        ...list("affectedTests", shown, most),
        ...(wants("symbolRefs") && { symbolRefs: symbolRefs(graph, subject) }),
        ...(risk !== undefined && { riskAssessment: risk }),
        ...(wants("keyPaths") && { keyPaths: keyPaths(graph, subject) }),
        ...subject.known,
      };
    },
  };
}

/** The number of files at each distance, and beyond the searched depth. */
function depthCounts({ affected, all, files }: Subject): Record<string, number> {
  const counts = Object.fromEntries(affected.byDepth.map((count, at) => [`depth${at + 1}`, count]));
  const further = all.length - files.length - affected.files.length;
  return further > 0 ? { ...counts, further } : counts;
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
