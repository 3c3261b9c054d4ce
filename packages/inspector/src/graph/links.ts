import type { GraphPicture } from "@waybill/server";

/** The linked files of each file. Those of file `f` start at `starts[f]`. */
interface Neighbours {
  readonly starts: Uint32Array;
  readonly files: Uint32Array;
}

/** The imports of a picture, in both directions. */
export interface Links {
  readonly out: Neighbours;
  readonly in: Neighbours;
}

function neighboursBy(count: number, pairs: readonly number[], own: 0 | 1): Neighbours {
  const starts = new Uint32Array(count + 1);
  for (let at = own; at < pairs.length; at += 2) starts[pairs[at]! + 1]! += 1;
  for (let file = 0; file < count; file++) starts[file + 1]! += starts[file]!;
  const next = starts.slice();
  const files = new Uint32Array(pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) {
    files[next[pairs[at + own]!]!++] = pairs[at + 1 - own]!;
  }
  return { starts, files };
}

export function getLinks({ files, imports }: Pick<GraphPicture, "files" | "imports">): Links {
  return {
    out: neighboursBy(files.length, imports, 0),
    in: neighboursBy(files.length, imports, 1),
  };
}

export function linked({ starts, files }: Neighbours, file: number): number[] {
  return [...files.subarray(starts[file], starts[file + 1])];
}

export function getCount({ starts }: Neighbours, file: number): number {
  return starts[file + 1]! - starts[file]!;
}

/** The default depth of `graph.impact`. */
export const IMPACT_DEPTH = 3;

/**
 * The distance of each file to the nearest of the given files that it depends on; -1 if it depends
 * on none.
 */
export function dependentSteps(
  links: Links,
  seeds: readonly number[],
  depth: number = IMPACT_DEPTH,
): Int32Array {
  const { starts, files } = links.in;
  const steps = new Int32Array(starts.length - 1).fill(-1);
  let reached = [...new Set(seeds)];
  for (const file of reached) steps[file] = 0;
  for (let step = 1; step <= depth && reached.length > 0; step++) {
    const next: number[] = [];
    for (const file of reached) {
      for (const other of files.subarray(starts[file], starts[file + 1])) {
        if (steps[other] !== -1) continue;
        steps[other] = step;
        next.push(other);
      }
    }
    reached = next;
  }
  return steps;
}
