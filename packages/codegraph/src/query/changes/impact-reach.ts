import type { CodeGraph } from "../../graph/index.ts";
import {
  RUNTIME,
  SIBLING,
  linksIn,
  neighbours,
  perGraph,
  reachFrom,
  useReach,
} from "../../analysis/index.ts";
import type { Reach } from "../../analysis/index.ts";
import { membersAbove, membersBelow } from "../types/member-family.ts";
import type { Definition } from "../names/definitions.ts";

/** Numbers of files. Typed arrays are fastest for many. */
export type FileList = readonly number[] | Uint32Array;

/** The affected files, by distance. */
export interface Affected {
  /** Files one step away. */
  readonly direct: readonly number[];
  /** The number of files at each distance, from 1. */
  readonly byDepth: readonly number[];
  /** All affected files, the nearest first, without the target itself. */
  readonly files: FileList;
  /** The file before this one on the path from the target; -1 for a direct dependent. */
  readonly via: (file: number) => number | undefined;
}

/** A depth limit that is longer than any chain of symbols. */
const ALL_THE_WAY = 1_000;

/** Everything that depends on a definition, at any distance, the nearest first. */
export function dependentsOfSymbol(graph: CodeGraph, definition: Definition): number[] {
  return [definition.file, ...affectedBySymbol(graph, definition, ALL_THE_WAY).files];
}

/** The files affected within some steps, and all that depend on them, including themselves. */
export interface Dependents {
  readonly affected: Affected;
  readonly all: FileList;
}

export function dependentsOfFiles(
  graph: CodeGraph,
  seeds: readonly number[],
  depth: number,
): Dependents {
  const links = linksIn(graph);
  const { affected, all } = useReach(links, seeds, (reach) => dependentsIn(reach, depth));
  let paths: Reach | undefined;
  const via = (file: number) => (paths ??= reachFrom(links, seeds)).via[file];
  return { affected: { ...affected, via }, all };
}

export function dependentsIn({ order, steps, via }: Reach, depth: number): Dependents {
  // Files are in order of distance, so each distance is one range.
  const starts = Array.from({ length: depth + 2 }, () => order.length);
  for (let place = order.length - 1; place >= 0; place--) {
    const step = steps[order[place]!]!;
    if (step < starts.length) starts[step] = place;
  }
  for (let step = depth; step > 0; step--)
    starts[step] = Math.min(starts[step]!, starts[step + 1]!);
  const affected: Affected = {
    direct: [...order.subarray(starts[1], starts[2])],
    byDepth: Array.from({ length: depth }, (_, at) => starts[at + 2]! - starts[at + 1]!),
    files: order.subarray(starts[1], starts[depth + 1]),
    via: (file) => via[file],
  };
  return { affected, all: order };
}

/** Files that use a whole module, by `import * as`, `import()` or `require`. */
const wholeModuleUsers: (graph: CodeGraph) => ReadonlyMap<number, readonly number[]> = perGraph(
  (graph) => {
    const users = new Map<number, number[]>();
    const { bindings, imports } = graph;
    for (let row = 0; row < bindings.count; row++) {
      const edge = bindings.edge(row);
      if (bindings.name(row) !== "*" || imports.kind(edge) === "reexport") continue;
      const known = users.get(imports.to(edge)) ?? [];
      known.push(imports.from(edge));
      users.set(imports.to(edge), known);
    }
    return users;
  },
);

/** Files that use a definition, in an import or in their code. */
export function getUsers(graph: CodeGraph, { symbol, export: row, file }: Definition): Set<number> {
  const users = new Set<number>();
  for (const binding of row === undefined ? [] : graph.bindings.ofExport(row)) {
    users.add(graph.imports.from(graph.bindings.edge(binding)));
  }
  for (const use of symbol === undefined ? [] : graph.uses.into(symbol)) {
    users.add(graph.symbols.file(graph.uses.from(use)));
  }
  for (const user of symbol === undefined ? [] : usersThroughFamily(graph, symbol)) {
    users.add(graph.symbols.file(user));
  }
  if (row !== undefined && graph.info.phase === "modules") {
    const offered = [row, ...graph.exports.forwards(row)].map((each) => graph.exports.file(each));
    for (const offer of offered) {
      for (const user of wholeModuleUsers(graph).get(offer) ?? []) users.add(user);
    }
  }
  users.delete(file);
  return users;
}

/**
 * Callers of an interface member may call its implementation. Implementations depend on the member.
 */
function* usersThroughFamily(graph: CodeGraph, symbol: number): Generator<number> {
  for (const above of membersAbove(graph, symbol)) {
    for (const use of graph.uses.into(above)) yield graph.uses.from(use);
  }
  yield* membersBelow(graph, symbol);
}

/**
 * The users of a symbol. Code outside any function runs for every importer of its file, so a module
 * is used by the modules that import it.
 */
function* usersOfSymbol(graph: CodeGraph, symbol: number): Generator<number> {
  for (const use of graph.uses.into(symbol)) {
    // A file that only imports or re-exports a symbol does not depend on its behaviour.
    if (graph.uses.kind(use) !== "import") yield graph.uses.from(use);
  }
  yield* usersThroughFamily(graph, symbol);
  if (graph.symbols.kind(symbol) !== "module") return;
  const file = graph.symbols.file(symbol);
  for (const other of neighbours(linksIn(graph), file, RUNTIME | SIBLING)) {
    yield graph.symbols.moduleOf(other);
  }
}

/** Symbols that use a symbol, directly or through others, level by level. */
function symbolLevels(graph: CodeGraph, start: number, depth: number): Map<number, number> {
  const levels = new Map([[start, 0]]);
  let level = [start];
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: number[] = [];
    for (const symbol of level) {
      for (const other of usersOfSymbol(graph, symbol)) {
        if (levels.has(other)) continue;
        levels.set(other, step);
        next.push(other);
      }
    }
    level = next;
  }
  return levels;
}

export function affectedBySymbol(
  graph: CodeGraph,
  definition: Definition,
  depth: number,
): Affected {
  const users = getUsers(graph, definition);
  if (definition.symbol === undefined) return beyondUsers(graph, definition.file, users, depth);
  const depths = new Map<number, number>();
  for (const [symbol, step] of symbolLevels(graph, definition.symbol, depth)) {
    const file = graph.symbols.file(symbol);
    if (step > 0 && file !== definition.file && !depths.has(file)) depths.set(file, step);
  }
  for (const user of users) depths.set(user, 1);
  const files = [...depths].toSorted(([a, x], [b, y]) => x - y || a - b);
  const byDepth = Array.from({ length: depth }, () => 0);
  for (const [, step] of files) byDepth[step - 1]! += 1;
  return {
    direct: [...users].toSorted((a, b) => a - b),
    byDepth,
    files: files.map(([file]) => file),
    via: () => undefined,
  };
}

/** Without symbols, everything that depends on a user may be affected too. */
function beyondUsers(
  graph: CodeGraph,
  own: number,
  users: ReadonlySet<number>,
  depth: number,
): Affected {
  const further = dependentsOfFiles(graph, [...users], depth - 1).affected;
  const isNew = (file: number): boolean => !users.has(file) && file !== own;
  const files = [...users, ...[...further.files].filter(isNew)];
  return {
    direct: [...users].toSorted((a, b) => a - b),
    byDepth: [users.size, ...further.byDepth],
    files,
    via: further.via,
  };
}
