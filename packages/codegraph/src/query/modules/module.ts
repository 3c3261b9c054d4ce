import { isDeclared } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import {
  linkCount,
  linksIn,
  linksOut,
  neighbours,
  overallRank,
  perGraph,
  useReach,
} from "../../analysis/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { getCompleteness, lessComplete } from "../completeness/completeness.ts";
import { entrypointItem } from "./entrypoints.ts";
import { importItem } from "../names/import-item.ts";
import { exportItems, exportsUnknown } from "./module-exports.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { symbolItems } from "../symbols/symbols.ts";
import { findTarget } from "../names/target.ts";
import type { GraphView } from "../answer/view.ts";

export const MODULE_PARTS = [
  "imports",
  "importedBy",
  "exports",
  "reexports",
  "entrypoints",
  "symbols",
] as const;
type ModulePart = (typeof MODULE_PARTS)[number];

export interface ModuleInput {
  readonly target: string;
  readonly include?: readonly ModulePart[];
  readonly includeTransitive?: boolean;
  readonly limit?: number;
  readonly scope?: string;
}

type Lists = Readonly<Record<ModulePart, readonly unknown[]>>;

/** How many entries of the other lists are shown, at each level of detail. */
const BESIDE = [12, 6, 2, 0];
const HOT_SHARE = 0.02;

const hotRank = perGraph((graph) => {
  const sorted = overallRank(graph).toSorted().toReversed();
  return sorted[Math.floor(sorted.length * HOT_SHARE)] ?? 0;
});

/** The resolution of each import is shown only if imports are requested. */
function getImports(graph: CodeGraph, file: number, isAskedFor: boolean): object[] {
  const { imports, files } = graph;
  return [...imports.outOf(file)].map((edge) => ({
    path: files.path(imports.to(edge)),
    ...importItem(graph, edge),
    ...(isAskedFor && { how: imports.how(edge) }),
  }));
}

function getReexports(graph: CodeGraph, file: number): object[] {
  const bySource = new Map<string, string[]>();
  for (const row of graph.exports.inFile(file)) {
    if (isDeclared(graph.exports.kind(row))) continue;
    const origin = graph.exports.definition(row);
    const source = origin === row ? "?" : graph.files.path(graph.exports.file(origin));
    const names = bySource.get(source) ?? [];
    names.push(graph.exports.name(row));
    bySource.set(source, names);
  }
  return [...bySource].map(([source, symbols]) => ({ source, symbols }));
}

/** Whether a file mostly re-exports other files. */
function isBarrel(graph: CodeGraph, file: number): boolean {
  let [own, handedOn] = [0, 0];
  for (const row of graph.exports.inFile(file)) {
    if (isDeclared(graph.exports.kind(row))) own += 1;
    else handedOn += 1;
  }
  return handedOn > 0 && handedOn > own;
}

function getLists(
  { graph }: GraphView,
  file: number,
  mask: Uint8Array | undefined,
  include: readonly ModulePart[] | undefined,
): Lists {
  return {
    imports: getImports(graph, file, include?.includes("imports") === true),
    importedBy: neighbours(linksIn(graph), file)
      .filter((other) => isIn(mask, other))
      .map((other) => graph.files.path(other)),
    exports: exportItems(graph, file),
    reexports: getReexports(graph, file),
    entrypoints: [...graph.entrypoints.inFile(file)].map((row) => {
      const { type, name } = entrypointItem(graph, row);
      return { type, name };
    }),
    symbols: symbolItems(graph, file),
  };
}

function getMetrics(graph: CodeGraph, file: number): object {
  const importers = linkCount(linksIn(graph), file);
  const isHotspot = importers > 1 && overallRank(graph)[file]! >= hotRank(graph);
  return {
    lines: graph.files.lines(file),
    isHotspot,
    isOrphan: importers === 0 && linkCount(linksOut(graph), file) === 0,
  };
}

function getTransitive(graph: CodeGraph, file: number): object {
  return {
    imports: useReach(linksOut(graph), [file], ({ order }) => order.length - 1),
    importedBy: useReach(linksIn(graph), [file], ({ order }) => order.length - 1),
  };
}

const DEFAULT_PARTS: readonly ModulePart[] = MODULE_PARTS.filter((part) => part !== "symbols");

/** One file: its imports, its exports, and its users. */
export function moduleInfo(view: GraphView, input: ModuleInput): Answer {
  const { graph } = view;
  const { file } = findTarget(view, input.target);
  const path = graph.files.path(file);
  const parts = input.include ?? DEFAULT_PARTS;
  const lists = getLists(view, file, scopeMask(view, input.scope), input.include);
  const paged = parts.length === 1 ? parts[0]! : "importedBy";
  const limit = input.limit ?? 20;
  const next: FollowUp[] = [
    { tool: "impact", args: { target: path }, reason: "the impact of a change here" },
  ];
  const unknown = parts.includes("exports") ? exportsUnknown(graph, file) : [];
  const others = parts.filter((part) => part !== paged);
  return {
    items: parts.includes(paged) ? lists[paged] : [],
    limit,
    levels: BESIDE.length - 1,
    limits: { maxItems: limit },
    next,
    render: (shown, level) => ({
      path,
      kind: graph.files.kind(file),
      isBarrel: isBarrel(graph, file),
      ...(parts.includes(paged) && { [paged]: shown, [`${paged}Total`]: lists[paged].length }),
      ...Object.fromEntries(others.flatMap((part) => cutList(part, lists[part], BESIDE[level]!))),
      ...(input.includeTransitive === true && { transitive: getTransitive(graph, file) }),
      metrics: getMetrics(graph, file),
      ...lessComplete(getCompleteness(view, path), unknown),
    }),
  };
}

/** A list beside the paged one. If it is cut, its length is included. */
function cutList(name: string, list: readonly unknown[], most: number): [string, unknown][] {
  if (list.length <= most) return [[name, list]];
  return [
    [name, list.slice(0, most)],
    [`${name}Total`, list.length],
  ];
}
