import type { CodeGraph } from "../../graph/index.ts";
import { linksIn, reachFrom } from "../../analysis/index.ts";
import type { Reach } from "../../analysis/index.ts";
import type { ChangedFile } from "../answer/changed-file.ts";
import { dependentsIn } from "./impact-reach.ts";
import type { Dependents } from "./impact-reach.ts";
import { firstMissed } from "./removed-names.ts";

/** Names that existed before and no longer exist. */
export interface Gone {
  /** The graph before the changes. */
  readonly graph: CodeGraph;
  readonly files: readonly number[];
  /** The removed file that a current file used. */
  usedBy(file: number): string | undefined;
  /** The first removed name that is still used. */
  missed(): string | undefined;
}

function goneFiles(now: CodeGraph, before: CodeGraph, changed: readonly ChangedFile[]): number[] {
  const paths = new Set(changed.map(({ path, from }) => from ?? path));
  const gone = [...paths].filter((path) => now.files.find(path) === undefined);
  return gone.flatMap((path) => before.files.find(path) ?? []);
}

/**
 * The files that depend on changed files now or did before. Nothing imports a deleted file any
 * more, but its former users are affected most. The result has current files only.
 */
export function dependentsInBoth(
  now: CodeGraph,
  before: CodeGraph,
  changed: readonly ChangedFile[],
  { depth, all }: { readonly depth: number; readonly all: readonly ChangedFile[] },
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
  const missed = (): string | undefined => firstMissed(now, before, changed, all);
  return { ...dependentsIn(reach, depth), gone: { graph: before, files, usedBy, missed } };
}

/** Everything that is reached in either graph, with the shorter distance. */
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
