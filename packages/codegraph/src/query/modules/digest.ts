import { isRecord } from "@waybill/core/schema";
import { PARSE_STATES } from "../../graph/index.ts";
import type { EntrypointKind } from "../../graph/index.ts";
import {
  linkCount,
  linksIn,
  overallRank,
  perGraph,
  rankFrom,
  getReaders,
} from "../../analysis/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { best } from "../answer/take-best.ts";
import { allIssues } from "../issues/index.ts";
import { isTest } from "./entrypoints.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { getCompleteness, earlyReasons, lessComplete } from "../completeness/completeness.ts";
import type { GraphView } from "../answer/view.ts";

export interface DigestInput {
  readonly include?: readonly ("summary" | "entrypoints" | "hotspots" | "issues")[];
  readonly hotspotLimit?: number;
  readonly entrypointLimit?: number;
  readonly scope?: string;
}

const SKIPPED = PARSE_STATES.indexOf("skipped");

interface Hotspot {
  readonly path: string;
  readonly importers: number;
  readonly exports: number;
}

const GROUPS: Readonly<Record<string, EntrypointKind>> = {
  routes: "route",
  commands: "command",
  pages: "page",
  jobs: "job",
  packages: "package",
};
const ENTERED: ReadonlyMap<EntrypointKind, string> = new Map(
  Object.entries(GROUPS).map(([group, kind]) => [kind, group]),
);
const FEWER = [1, 0.6, 0.2];
/** A placeholder for the token estimate while it is computed. No real estimate has more digits. */
const ANY_ESTIMATE = 99_999;

const exportCounts = perGraph((graph) => {
  const counts = new Uint32Array(graph.files.count);
  for (const file of graph.tables.exports.file) counts[file]! += 1;
  return counts;
});

export function exportCount(graph: GraphView["graph"], file: number): number {
  return exportCounts(graph)[file]!;
}

function digestSummary(
  { graph }: GraphView,
  mask: Uint8Array | undefined,
  ways: ReadonlyMap<string, WaysIn>,
): Record<string, number> {
  const { files, imports } = graph;
  let [all, modules, edges] = [0, 0, 0];
  for (let file = 0; file < files.count; file++) {
    if (!isIn(mask, file)) continue;
    all += 1;
    if (files.columns.state[file] !== SKIPPED) modules += 1;
  }
  for (const from of imports.columns.from) if (isIn(mask, from)) edges += 1;
  const entrypoints = [...ways.values()].reduce((sum, { places }) => sum + places.size, 0);
  // Entry points are found with the symbols, so they are unknown before the symbols are complete.
  const known = graph.info.phase === "modules" ? {} : { entrypoints };
  return { files: all, modules, ...known, edges };
}

const MAX_KEPT = 16;
const keptHotspots = perGraph(() => new Map<string, readonly Hotspot[]>());

/** Cached, because ranking for a scope takes a while and the same few scopes are asked again. */
export function hotspotsIn(view: GraphView, scope = ""): readonly Hotspot[] {
  const kept = keptHotspots(view.graph);
  const known = kept.get(scope);
  if (known !== undefined) return known;
  const found = getHotspots(view, scopeMask(view, scope));
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(scope, found);
  return found;
}

/** The most important files for a scope, by rank. Only imported files count. */
function getHotspots({ graph }: GraphView, mask: Uint8Array | undefined): Hotspot[] {
  const rank = mask === undefined ? overallRank(graph) : rankFrom(graph, getReaders(graph, mask));
  const incoming = linksIn(graph);
  const files: number[] = [];
  for (let file = 0; file < graph.files.count; file++) {
    if (isIn(mask, file) && linkCount(incoming, file) > 0 && rank[file]! > 0) files.push(file);
  }
  return best(files, 50, (a, b) => rank[b]! - rank[a]! || a - b).map((file) => ({
    path: graph.files.path(file),
    importers: linkCount(incoming, file),
    exports: exportCount(graph, file),
  }));
}

/** Entry points by kind. A package's `main` and `exports` with the same name count once. */
function waysIn({ graph }: GraphView, mask: Uint8Array | undefined): Map<string, WaysIn> {
  const { entrypoints } = graph;
  const found = new Map(Object.keys(GROUPS).map((group) => [group, newWays()]));
  for (let row = 0; row < entrypoints.count; row++) {
    const file = entrypoints.file(row);
    const [kind, name] = [entrypoints.kind(row), entrypoints.text(row)];
    const ways = found.get(ENTERED.get(kind) ?? "");
    if (ways === undefined || !isIn(mask, file) || isTest(graph, file)) continue;
    const isPackage = kind === "package";
    // An `exports` of `./*` exposes every file, so it names no entry point.
    if (isPackage && name.includes("*")) continue;
    ways.names.add(name);
    ways.places.add(isPackage ? name : `${file} ${name}`);
  }
  return found;
}

interface WaysIn {
  readonly names: Set<string>;
  readonly places: Set<string>;
}

function newWays(): WaysIn {
  return { names: new Set(), places: new Set() };
}

/** A few entry points of each kind, and their number if there are more. */
function getEntrypoints(ways: ReadonlyMap<string, WaysIn>, limit: number): object {
  const members = [...ways].flatMap(([group, { names, places }]): [string, unknown][] => {
    if (group === "packages" && names.size === 0) return [];
    const shown = [...names].slice(0, limit);
    const list: [string, unknown] = [group, shown];
    return places.size > shown.length ? [list, [`${group}Total`, places.size]] : [list];
  });
  return Object.fromEntries(members);
}

function issueCounts(view: GraphView, mask: Uint8Array | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, file } of allIssues(view)) {
    if (isIn(mask, file)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function followUps(hotspots: readonly Hotspot[], counts: Record<string, number>): FollowUp[] {
  const next: FollowUp[] = [];
  if (Object.keys(counts).length > 0) {
    const args = { severity: "warning", limit: 10 };
    next.push({ tool: "issues", args, reason: "issues, worst first" });
  }
  const [top] = hotspots;
  if (top !== undefined) {
    next.push({
      tool: "impact",
      args: { target: top.path },
      reason: "dependents of the first one",
    });
  }
  return next;
}

const CHARS_PER_TOKEN = 4;

/**
 * Adds the estimated tokens of the result, including the number itself. Omitted if there is no
 * room.
 */
function withEstimate(result: object): object {
  const meta: unknown = Reflect.get(result, "meta");
  if (!isRecord(meta) || meta["tokensEstimate"] === undefined) return result;
  let counted: object = result;
  let tokensEstimate = 0;
  // Adding digits can only raise the estimate, so a few rounds are enough.
  for (let round = 0; round < 4; round++) {
    const length = JSON.stringify(counted).length;
    tokensEstimate = Math.min(ANY_ESTIMATE, Math.ceil(length / CHARS_PER_TOKEN));
    counted = { ...result, meta: { ...meta, tokensEstimate } };
  }
  return counted;
}

/** The code base in a few hundred tokens. */
export function digest(view: GraphView, input: DigestInput): Answer<Hotspot> {
  const { include, hotspotLimit = 10, entrypointLimit = 5, scope } = input;
  const wants = (part: string): boolean => include === undefined || include.some((x) => x === part);
  const mask = scopeMask(view, scope);
  const hotspots = wants("hotspots") ? hotspotsIn(view, scope).slice(0, hotspotLimit) : [];
  const ways = waysIn(view, mask);
  const counts = wants("issues") ? issueCounts(view, mask) : {};
  const summary = wants("summary") ? digestSummary(view, mask, ways) : undefined;
  const { completeness } = lessComplete(getCompleteness(view, ""), earlyReasons(view));
  const lastIndexed = new Date(view.graph.info.indexedAt).toISOString();
  return {
    items: hotspots,
    limit: hotspotLimit,
    levels: FEWER.length - 1,
    limits: { maxItems: hotspotLimit },
    next: followUps(hotspots, counts),
    render: (shown, level) => ({
      ...(summary && { summary }),
      ...(wants("entrypoints") &&
        view.graph.info.phase !== "modules" && {
          entrypoints: getEntrypoints(ways, Math.ceil(entrypointLimit * FEWER[level]!)),
        }),
      ...(wants("hotspots") && { hotspots: shown }),
      ...(wants("issues") && { issues: counts }),
      completeness,
      meta: { lastIndexed, tokensEstimate: ANY_ESTIMATE },
    }),
    finish: withEstimate,
  };
}
