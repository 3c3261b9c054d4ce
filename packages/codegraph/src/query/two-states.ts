import type { CodeGraph } from "../graph/index.ts";
import { linksIn, reachFrom } from "../analysis/index.ts";
import type { Reach } from "../analysis/index.ts";
import type { ChangedFile } from "./changed-file.ts";
import { definitionOfSymbol } from "./definitions.ts";
import { dependentsIn } from "./impact-reach.ts";
import type { Dependents } from "./impact-reach.ts";

/** What was there before and is no longer under its name. */
export interface Gone {
  /** As it was. */
  readonly graph: CodeGraph;
  readonly files: readonly number[];
  /** For a file of today, the one that it used and that is gone. */
  usedBy(file: number): string | undefined;
}

function goneFiles(now: CodeGraph, before: CodeGraph, changed: readonly ChangedFile[]): number[] {
  const paths = new Set(changed.map(({ path, from }) => from ?? path));
  const gone = [...paths].filter((path) => now.files.find(path) === undefined);
  return gone.flatMap((path) => before.files.find(path) ?? []);
}

/**
 * What depends on changed files, or did so before: nothing leads to a file that is gone, yet whoever
 * used it is struck most. Files are those of today.
 */
export function dependentsInBoth(
  now: CodeGraph,
  before: CodeGraph,
  changed: readonly ChangedFile[],
  depth: number,
): Dependents & { readonly gone: Gone } {
  const seeds = changed.flatMap(({ path }) => now.files.find(path) ?? []);
  const old = changed.flatMap(({ path, from }) => before.files.find(from ?? path) ?? []);
  const then = reachFrom(linksIn(before), old);
  const reach = united(now, reachFrom(linksIn(now), seeds), before, then);
  const usedBy = (file: number): string | undefined => {
    const was = before.files.find(now.files.path(file));
    const used = was === undefined ? -1 : then.via[was]!;
    return used < 0 ? undefined : before.files.path(used);
  };
  const files = goneFiles(now, before, changed);
  return { ...dependentsIn(reach, depth), gone: { graph: before, files, usedBy } };
}

/** All that is reached in either graph, by the shorter way. */
function united(graph: CodeGraph, now: Reach, before: CodeGraph, then: Reach): Reach {
  const [steps, via] = [now.steps.slice(), now.via.slice()];
  const here = (file: number): number => graph.files.find(before.files.path(file)) ?? -1;
  const added: number[] = [];
  for (const old of then.order) {
    const file = here(old);
    const step = then.steps[old]!;
    if (file < 0 || step === 0) continue;
    if (steps[file] === -1) added.push(file);
    else if (steps[file]! <= step) continue;
    steps[file] = step;
    via[file] = here(then.via[old]!);
  }
  const order = Uint32Array.from([...now.order, ...added]);
  return { order: order.toSorted((a, b) => steps[a]! - steps[b]!), steps, via };
}

function namesIn(graph: CodeGraph, path: string): Set<string> {
  const file = graph.files.find(path);
  const names = new Set<string>();
  if (file === undefined) return names;
  for (const symbol of graph.symbols.inFile(file)) {
    names.add(definitionOfSymbol(graph, symbol).name);
  }
  for (const row of graph.exports.inFile(file)) names.add(graph.exports.name(row));
  return names;
}

/** Names that a file had and has no more; with a class its members go without saying. */
export function removedNames(
  now: CodeGraph,
  before: CodeGraph,
  { path, from = path }: ChangedFile,
): string[] {
  const file = before.files.find(from);
  if (file === undefined) return [];
  const left = namesIn(now, path);
  const { symbols, exports } = before;
  const isRemoved = (symbol: number | undefined): boolean =>
    symbol !== undefined &&
    symbols.kind(symbol) !== "module" &&
    !left.has(definitionOfSymbol(before, symbol).name);
  const removed = [...symbols.inFile(file)].filter(
    (symbol) => isRemoved(symbol) && !isRemoved(symbols.parent(symbol)),
  );
  const exported = Array.from(exports.inFile(file), (row) => exports.name(row));
  const names = removed.map((symbol) => definitionOfSymbol(before, symbol).name);
  return [...new Set([...names, ...exported.filter((name) => !left.has(name))])];
}
