import type { CodeGraph } from "../graph/index.ts";

/** What follows from a graph is worked out once, when it is first asked for, and goes with it. */
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
