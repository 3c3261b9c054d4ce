import type { CodeGraph } from "../graph/index.ts";

/** Computes a value for each graph on first use, and caches it as long as the graph exists. */
export function perGraph<T>(compute: (graph: CodeGraph) => T): (graph: CodeGraph) => T {
  const known = new WeakMap<CodeGraph, { readonly value: T }>();
  return (graph) => {
    const kept = known.get(graph);
    if (kept !== undefined) return kept.value;
    const value = compute(graph);
    known.set(graph, { value });
    return value;
  };
}
