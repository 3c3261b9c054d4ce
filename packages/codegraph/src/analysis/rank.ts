import { linksOut } from "./links.ts";
import { FILE_KINDS } from "../graph/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { perGraph } from "./per-graph.ts";

const DAMPING = 0.85;
const ROUNDS = 16;
const SETTLED = 1e-7;
const MODULE = FILE_KINDS.indexOf("module");

/**
 * How important each file is for the weighted files (personalised PageRank). The rank is the share
 * of time that a reader spends in a file who follows imports and sometimes starts again.
 */
export function rankFrom(graph: CodeGraph, weights: Float64Array): Float64Array {
  const links = linksOut(graph);
  const start = normalised(weights);
  let rank: Float64Array = start.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const next = spread(links, rank);
    const lost = 1 - sum(next);
    let moved = 0;
    for (let file = 0; file < next.length; file++) {
      next[file]! += lost * start[file]!;
      moved += Math.abs(next[file]! - rank[file]!);
    }
    rank = next;
    if (moved < SETTLED) break;
  }
  return rank;
}

function spread(
  { starts, targets }: ReturnType<typeof linksOut>,
  rank: Float64Array,
): Float64Array {
  const next = new Float64Array(rank.length);
  for (let file = 0; file < rank.length; file++) {
    if (rank[file] === 0) continue;
    const from = starts[file]!;
    const to = starts[file + 1]!;
    const share = (DAMPING * rank[file]!) / (to - from);
    for (let link = from; link < to; link++) next[targets[link]!]! += share;
  }
  return next;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]!;
  return total;
}

function normalised(weights: Float64Array): Float64Array {
  const total = sum(weights);
  return total === 0 ? weights : weights.map((weight) => weight / total);
}

/**
 * The start weights. Tests and configuration files get low weights, because they say little about
 * which files are important.
 */
export function getReaders(graph: CodeGraph, within?: Uint8Array): Float64Array {
  const { kind } = graph.files.columns;
  const readers = new Float64Array(graph.files.count);
  for (let file = 0; file < readers.length; file++) {
    if (kind[file] === MODULE && within?.[file] !== 0) readers[file] = 1;
  }
  return readers;
}

/** The rank if every source file has the same weight. */
export const overallRank: (graph: CodeGraph) => Float64Array = perGraph((graph) =>
  rankFrom(graph, getReaders(graph)),
);
