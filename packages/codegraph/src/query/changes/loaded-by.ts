import type { CodeGraph } from "../../graph/index.ts";
import { RUNTIME, SIBLING, linksIn, useReach } from "../../analysis/index.ts";
import type { Subject } from "./impact-subject.ts";

/** The files among these that load the subject when they run, or loaded a file that is gone. */
export function loadedBy(
  graph: CodeGraph,
  { files: seeds, gone }: Pick<Subject, "files" | "gone">,
  files: readonly number[],
): Set<number> {
  const loaded = reached(graph, seeds, files, (file) => file);
  if (gone === undefined) return new Set(loaded);
  const earlier = (file: number): number | undefined =>
    gone.graph.files.find(graph.files.path(file));
  return new Set([...loaded, ...reached(gone.graph, gone.files, files, earlier)]);
}

/** The files whose counterpart in a graph reaches the seeds by imports that exist at run time. */
function reached(
  graph: CodeGraph,
  seeds: readonly number[],
  files: readonly number[],
  counterpart: (file: number) => number | undefined,
): number[] {
  const isReached = (steps: Int32Array, file: number): boolean => {
    const own = counterpart(file);
    return own !== undefined && steps[own] !== -1;
  };
  return useReach(
    linksIn(graph),
    seeds,
    ({ steps }) => files.filter((file) => isReached(steps, file)),
    // Vue makes run-time checks of a component's inputs from their types.
    { mask: RUNTIME | SIBLING, ignoresMask: (file) => graph.files.language(file) === "vue" },
  );
}
