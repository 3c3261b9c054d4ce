import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { compileScope } from "../../patterns/index.ts";
import { confinedPath } from "./confined-path.ts";
import { nearPaths } from "./near-names.ts";
import type { GraphView } from "../answer/view.ts";

const MAX_KEPT = 16;
const masks = perGraph(() => new Map<string, Uint8Array>());

/** The error for a scope without files: an empty result would suggest that all is well. */
export function noFileAt(graph: CodeGraph, pattern: string): Error {
  const near = nearPaths(graph, pattern);
  const meant = near.length === 0 ? "" : `; did you mean ${near[0]!}?`;
  return fail("NOT_FOUND", `No file matches ${JSON.stringify(pattern.slice(0, 200))}${meant}`, {
    ...(near.length > 0 && { did_you_mean: near }),
    hint: "Pass a folder, a file or a glob; graph_tree lists the folders",
  });
}

/**
 * An array with a 1 for each file in the scope; undefined without a scope, which means every file.
 */
export function scopeMask(
  { graph, root }: Pick<GraphView, "graph" | "root">,
  scope: string | undefined,
): Uint8Array | undefined {
  if (isAll(scope)) return undefined;
  const known = masks(graph);
  const kept = known.get(scope);
  if (kept !== undefined) return kept;
  const path = confinedPath(root, scope);
  const mask = getMask(graph, path);
  if (!mask.includes(1)) throw noFileAt(graph, path);
  if (known.size >= MAX_KEPT) known.delete(known.keys().next().value!);
  known.set(scope, mask);
  return mask;
}

function isAll(scope: string | undefined): scope is undefined | "" | "." {
  return scope === undefined || scope === "" || scope === ".";
}

/** A test for a scope that has files in at least one of two states of the tree. */
export function scopeInEither(
  now: GraphView,
  before: GraphView,
  scope: string | undefined,
): (path: string) => boolean {
  if (isAll(scope)) return () => true;
  const path = confinedPath(now.root, scope);
  if (![now, before].some(({ graph }) => getMask(graph, path).includes(1))) {
    throw noFileAt(now.graph, path);
  }
  const { matches } = compileScope(path);
  return matches;
}

function getMask(graph: CodeGraph, scope: string): Uint8Array {
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
