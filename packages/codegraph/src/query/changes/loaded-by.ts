import type { CodeGraph } from "../../graph/index.ts";
import { RUNTIME, SIBLING, WITH_NODE, linksIn, useReach } from "../../analysis/index.ts";
import type { Subject } from "./impact-subject.ts";
import { isRunByNode } from "./test-runners.ts";

/** The files among these that load the subject when they run, or loaded a file that is gone. */
export function loadedBy(
  graph: CodeGraph,
  { files: seeds, gone }: Pick<Subject, "files" | "gone">,
  files: readonly number[],
): Set<number> {
  const earlier = (file: number): number | undefined =>
    gone?.graph.files.find(graph.files.path(file));
  const byNode = files.filter((file) => isRunByNode(graph, file));
  return new Set(
    [
      { files, mask: RUNTIME | SIBLING },
      { files: byNode, mask: RUNTIME | SIBLING | WITH_NODE },
    ].flatMap((ways) => [
      ...reached(graph, seeds, ways, (file) => file),
      ...(gone ? reached(gone.graph, gone.files, ways, earlier) : []),
    ]),
  );
}

/** The files to ask about, and the links that exist when they run. */
interface Ways {
  readonly files: readonly number[];
  readonly mask: number;
}

/**
 * The files whose counterpart in a graph leads to one of the `seeds` by imports that exist at run
 * time.
 */
function reached(
  graph: CodeGraph,
  seeds: readonly number[],
  { files, mask }: Ways,
  counterpart: (file: number) => number | undefined,
): number[] {
  if (files.length === 0) return [];
  const isReached = (steps: Int32Array, file: number): boolean => {
    const own = counterpart(file);
    return own !== undefined && steps[own] !== -1;
  };
  return useReach(
    linksIn(graph),
    seeds,
    ({ steps }) => files.filter((file) => isReached(steps, file)),
    // Vue makes run-time checks of a component's inputs from their types.
    { mask, ignoresMask: (file) => graph.files.language(file) === "vue" },
  );
}
