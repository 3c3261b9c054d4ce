import type { CodeGraph } from "../graph/index.ts";
import { IMPORT_KINDS, LOADING } from "../graph/index.ts";
import { perGraph } from "./per-graph.ts";

/** Set if at least one import between the two files exists at run time. */
export const RUNTIME = 1;
/** Set if an import exists at run time and runs when the module loads, not later. */
export const EAGER = 2;
export const REEXPORT = 4;
/** Set for every link, so that a mask can select all links. */
export const ANY_LINK = 8;
/** Set for links between files of one package that is loaded as a unit, as in Go. */
export const SIBLING = 16;
/** Set for links between units that are loaded separately. Cycles matter only there. */
export const APART = 32;
/** Set for imports of types that exist at run time if Node itself runs the files. */
export const WITH_NODE = 64;

/**
 * The links between files, each once. The links of file `f` are at `starts[f]` to `starts[f + 1]`,
 * in the order of the text. `edges` has the first import of each link.
 */
export interface Links {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly flags: Uint8Array;
  readonly edges: Uint32Array;
}

function linkFlags(kind: number, typeOnly: number): number {
  if (IMPORT_KINDS[kind] === "package") return ANY_LINK | SIBLING;
  const isDynamic = IMPORT_KINDS[kind] === "dynamic";
  const isReexport = IMPORT_KINDS[kind] === "reexport";
  const runtime = isDynamic ? RUNTIME : RUNTIME | EAGER;
  return ANY_LINK | APART | whenLoading(typeOnly, runtime) | (isReexport ? REEXPORT : 0);
}

function whenLoading(typeOnly: number, runtime: number): number {
  if (typeOnly === LOADING.withNode) return WITH_NODE;
  return typeOnly === LOADING.never ? 0 : runtime;
}

/**
 * Builds links between other nodes than files, such as folders. The links are sorted by their
 * start.
 */
export function getLinks(
  nodes: number,
  pairs: readonly { readonly from: number; readonly to: number }[],
): Links {
  const starts = new Uint32Array(nodes + 1);
  for (const { from } of pairs) starts[from + 1]! += 1;
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!;
  return {
    starts,
    targets: Uint32Array.from(pairs, ({ to }) => to),
    flags: new Uint8Array(pairs.length).fill(255),
    edges: new Uint32Array(pairs.length),
  };
}

/** Links from a file to the files that it imports. */
export const linksOut: (graph: CodeGraph) => Links = perGraph((graph) => {
  const { from, to, kind, typeOnly } = graph.imports.columns;
  const files = graph.files.count;
  const starts = new Uint32Array(files + 1);
  const targets = new Uint32Array(from.length);
  const edges = new Uint32Array(from.length);
  const flags = new Uint8Array(from.length);
  const placeOf = new Int32Array(files).fill(-1);
  let count = 0;
  let edge = 0;
  for (let file = 0; file < files; file++) {
    starts[file] = count;
    for (; from[edge] === file; edge++) {
      const target = to[edge]!;
      if (target === file) continue;
      let place = placeOf[target]!;
      if (place < starts[file]!) {
        place = count++;
        placeOf[target] = place;
        targets[place] = target;
        edges[place] = edge;
      }
      flags[place]! |= linkFlags(kind[edge]!, typeOnly[edge]!);
    }
  }
  starts[files] = count;
  return {
    starts,
    targets: targets.slice(0, count),
    edges: edges.slice(0, count),
    flags: flags.slice(0, count),
  };
});

/** Links from a file to the files that import it. */
export const linksIn: (graph: CodeGraph) => Links = perGraph((graph) => reversed(linksOut(graph)));

function reversed({ starts, targets, flags, edges }: Links): Links {
  const files = starts.length - 1;
  const back = new Uint32Array(files + 1);
  for (const target of targets) back[target + 1]! += 1;
  for (let file = 0; file < files; file++) back[file + 1]! += back[file]!;
  const next = back.slice();
  const result: Links = {
    starts: back,
    targets: new Uint32Array(targets.length),
    flags: new Uint8Array(targets.length),
    edges: new Uint32Array(targets.length),
  };
  for (let file = 0; file < files; file++) {
    for (let link = starts[file]!; link < starts[file + 1]!; link++) {
      const place = next[targets[link]!]!++;
      result.targets[place] = file;
      result.flags[place] = flags[link]!;
      result.edges[place] = edges[link]!;
    }
  }
  return result;
}

/** The neighbours of a file over links with one of the flags. */
export function neighbours(links: Links, file: number, mask: number = ANY_LINK): number[] {
  const found: number[] = [];
  for (let link = links.starts[file]!; link < links.starts[file + 1]!; link++) {
    if ((links.flags[link]! & mask) !== 0) found.push(links.targets[link]!);
  }
  return found;
}

export function linkCount(links: Links, file: number): number {
  return links.starts[file + 1]! - links.starts[file]!;
}

/** The link between two files; undefined if there is none. */
export function linkBetween(links: Links, from: number, to: number): number | undefined {
  for (let link = links.starts[from]!; link < links.starts[from + 1]!; link++) {
    if (links.targets[link] === to) return link;
  }
  return undefined;
}
