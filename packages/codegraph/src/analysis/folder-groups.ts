import type { CodeGraph } from "../graph/index.ts";
import { linksOut } from "./links.ts";

/** The folder below the point where the tree first branches: `packages/*`, `src/*`, or similar. */
export function findGroupName(path: string, base: string): string | undefined {
  if (!path.startsWith(base)) return undefined;
  const end = path.indexOf("/", base.length);
  return end < 0 ? undefined : path.slice(0, end);
}

/** The folder that contains most files, such as `src/`; empty if there is none. */
export function commonBase(paths: readonly string[]): string {
  let base = "";
  for (;;) {
    const counts = new Map<string, number>();
    for (const path of paths) {
      const name = findGroupName(path, base);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (first === undefined || first[1] < paths.length * 0.8) return base;
    base = `${first[0]}/`;
  }
}

/** Imports from one group of files to another. Files without a group have -1. */
export function importsBetween(
  graph: CodeGraph,
  groupOf: Int32Array,
): (Map<number, number> | undefined)[] {
  const counts: Map<number, number>[] = [];
  const links = linksOut(graph);
  for (let file = 0; file < graph.files.count; file++) {
    const own = groupOf[file]!;
    if (own < 0) continue;
    for (let link = links.starts[file]!; link < links.starts[file + 1]!; link++) {
      const other = groupOf[links.targets[link]!]!;
      if (other < 0 || other === own) continue;
      const row = (counts[own] ??= new Map());
      row.set(other, (row.get(other) ?? 0) + 1);
    }
  }
  return counts;
}
