import { posix } from "node:path";
import { RUNTIME, SIBLING, linksOut, overallRank } from "../analysis/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { scopeMask } from "../query/index.ts";

export interface DrawingOptions {
  /** Draw files or folders (default: folders if there are too many files). */
  readonly level?: "file" | "folder";
  readonly scope?: string;
  /** The most nodes to draw. The least important are left out and counted. */
  readonly maxNodes?: number;
}

interface DrawnNode {
  readonly path: string;
  /** The number of files in this node. */
  readonly files: number;
}

interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly imports: number;
  readonly typeOnly: boolean;
}

/** The content of a drawing, for any output format. */
export interface Drawing {
  readonly level: "file" | "folder";
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** The number of nodes left out. */
  readonly omitted: number;
}

const MANY_FILES = 120;
const DEFAULT_NODES = 120;

/** Source files. Other files, such as images, are not drawn. */
export function filesDrawn(graph: CodeGraph, mask: Uint8Array | undefined): number[] {
  const files: number[] = [];
  for (let file = 0; file < graph.files.count; file++) {
    const isSource = graph.files.kind(file) !== "asset" && graph.files.state(file) !== "skipped";
    if (isSource && mask?.[file] !== 0) files.push(file);
  }
  return files;
}

interface Group {
  readonly path: string;
  readonly files: number[];
  rank: number;
}

function getGroups(graph: CodeGraph, files: readonly number[], level: "file" | "folder"): Group[] {
  const rank = overallRank(graph);
  const groups = new Map<string, Group>();
  for (const file of files) {
    const own = graph.files.path(file);
    const path = level === "file" ? own : posix.dirname(own);
    const group = groups.get(path) ?? { path, files: [], rank: 0 };
    group.files.push(file);
    group.rank += rank[file]!;
    groups.set(path, group);
  }
  return [...groups.values()];
}

function drawnEdges(graph: CodeGraph, nodeOf: Int32Array): DrawnEdge[] {
  const links = linksOut(graph);
  const edges = new Map<number, { imports: number; typeOnly: boolean }>();
  const count = graph.files.count;
  for (let file = 0; file < count; file++) {
    const from = nodeOf[file]!;
    if (from < 0) continue;
    for (let link = links.starts[file]!; link < links.starts[file + 1]!; link++) {
      const to = nodeOf[links.targets[link]!]!;
      if (to < 0 || to === from) continue;
      const edge = edges.get(from * count + to) ?? { imports: 0, typeOnly: true };
      edge.imports += 1;
      edge.typeOnly &&= (links.flags[link]! & (RUNTIME | SIBLING)) === 0;
      edges.set(from * count + to, edge);
    }
  }
  return [...edges]
    .toSorted(([a], [b]) => a - b)
    .map(([key, edge]) => ({ from: Math.floor(key / count), to: key % count, ...edge }));
}

/** The most important part of the graph, small enough to read. */
export function getDrawing(
  view: { readonly graph: CodeGraph; readonly root: string },
  options: DrawingOptions = {},
): Drawing {
  const { graph } = view;
  const files = filesDrawn(graph, scopeMask(view, options.scope));
  const level = options.level ?? (files.length > MANY_FILES ? "folder" : "file");
  const all = getGroups(graph, files, level);
  const most = options.maxNodes ?? DEFAULT_NODES;
  const shown = all
    .toSorted((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const nodeOf = new Int32Array(graph.files.count).fill(-1);
  for (const [node, group] of shown.entries()) for (const file of group.files) nodeOf[file] = node;
  return {
    level,
    nodes: shown.map(({ path, files: own }) => ({ path, files: own.length })),
    edges: drawnEdges(graph, nodeOf),
    omitted: all.length - shown.length,
  };
}
