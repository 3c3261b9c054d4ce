import type { CodeGraph } from "../graph/index.ts";
import { perGraph } from "../analysis/index.ts";
import { compileScope } from "../patterns/index.ts";
import { confinedPath } from "./confined-path.ts";
import type { GraphView } from "./view.ts";

const MAX_KEPT = 16;
const masks = perGraph(() => new Map<string, Uint8Array>());

/** 1 for each file in the scope; undefined where there is none, which is every file. */
export function scopeMask(
  { graph, root }: Pick<GraphView, "graph" | "root">,
  scope: string | undefined,
): Uint8Array | undefined {
  if (scope === undefined || scope === "" || scope === ".") return undefined;
  const known = masks(graph);
  const kept = known.get(scope);
  if (kept !== undefined) return kept;
  const mask = maskOf(graph, confinedPath(root, scope));
  if (known.size >= MAX_KEPT) known.delete(known.keys().next().value!);
  known.set(scope, mask);
  return mask;
}

function maskOf(graph: CodeGraph, scope: string): Uint8Array {
  const { matches } = compileScope(scope);
  const mask = new Uint8Array(graph.files.count);
  for (let file = 0; file < mask.length; file++) {
    if (matches(graph.files.path(file))) mask[file] = 1;
  }
  return mask;
}

export function isIn(mask: Uint8Array | undefined, file: number): boolean {
  return mask === undefined || mask[file] === 1;
}
