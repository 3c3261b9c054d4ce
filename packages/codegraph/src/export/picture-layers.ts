import {
  commonBase,
  findComponents,
  findGroupName,
  importsBetween,
  getLinks,
} from "../analysis/index.ts";
import type { CodeGraph } from "../graph/index.ts";

/** The most layers: the number of colours that can be distinguished. */
const MAX_LAYERS = 12;

export interface PictureLayers {
  /** Layers ordered by how few of the others they import. */
  readonly names: readonly string[];
  /** The layer of each file; -1 for none. */
  readonly of: Int32Array;
  /** The number of layers left out, which are the smallest. */
  readonly omitted: number;
}

/** Files outside the main folder, such as `test/`, belong to their own top folder. */
function layerNames(graph: CodeGraph, files: readonly number[]): Map<number, string> {
  const path = (file: number): string => graph.files.path(file);
  const base = commonBase(files.filter((file) => graph.files.kind(file) === "module").map(path));
  const names = new Map<number, string>();
  for (const file of files) {
    const name = findGroupName(path(file), base) ?? findGroupName(path(file), "");
    if (name !== undefined) names.set(file, name);
  }
  return names;
}

/** The largest groups by name. */
function largest(names: Iterable<string>): { kept: string[]; omitted: number } {
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  const kept = [...sizes]
    .toSorted(([a, sizeA], [b, sizeB]) => sizeB - sizeA || (a < b ? -1 : 1))
    .slice(0, MAX_LAYERS)
    .map(([name]) => name);
  return { kept: kept.toSorted(), omitted: sizes.size - kept.length };
}

/**
 * How many layers are below each layer. If two layers import each other, the one with more imports
 * is above.
 */
function getHeights(counts: readonly (ReadonlyMap<number, number> | undefined)[]): number[] {
  const pairs = counts.flatMap((row, from) =>
    [...(row ?? [])]
      .filter(([to, count]) => count > (counts[to]?.get(from) ?? 0))
      .map(([to]) => ({ from, to })),
  );
  const { of } = findComponents(getLinks(counts.length, pairs));
  const heights = counts.map(() => 0);
  // A component has a higher number than the components it leads to, so one pass from the lowest
  // number is enough.
  for (const { from, to } of pairs.toSorted((a, b) => of[a.from]! - of[b.from]!)) {
    const [own, other] = [of[from]!, of[to]!];
    if (own !== other) heights[own] = Math.max(heights[own]!, heights[other]! + 1);
  }
  return counts.map((_, group) => heights[of[group]!]!);
}

function numbered(graph: CodeGraph, names: ReadonlyMap<number, string>, order: readonly string[]) {
  const ids = new Map(order.map((name, id) => [name, id]));
  const of = new Int32Array(graph.files.count).fill(-1);
  for (const [file, name] of names) of[file] = ids.get(name) ?? -1;
  return of;
}

/** Folders as layers. Layers that others are built on come first. */
export function pictureLayers(graph: CodeGraph, files: readonly number[]): PictureLayers {
  const names = layerNames(graph, files);
  const { kept, omitted } = largest(names.values());
  const counts = importsBetween(graph, numbered(graph, names, kept));
  const heights = getHeights(kept.map((_, group) => counts[group]));
  const sorted = kept
    .map((name, group) => ({ name, height: heights[group]! }))
    .toSorted((a, b) => a.height - b.height || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
  return { names: sorted, of: numbered(graph, names, sorted), omitted };
}
