import { posix } from "node:path";
import type { CodeGraph } from "../graph/index.ts";
import { componentsOf, perGraph } from "../analysis/index.ts";
import type { Links } from "../analysis/index.ts";
import { dependenciesOf } from "./dependency.ts";
import { PlaceMatcher } from "./places.ts";
import type { ForbiddenRule, Violation } from "./rule.ts";

interface Folders {
  readonly names: readonly string[];
  readonly links: Links;
  readonly instability: Float64Array;
}

/** Folders and the folders that their files, at any depth, depend on. */
const foldersOf: (graph: CodeGraph) => Folders = perGraph((graph) => {
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    ids.set(name, ids.size);
    return ids.size - 1;
  };
  const targets: Set<number>[] = [];
  for (const dependencies of dependenciesOf(graph)) {
    for (const { from, to, path } of dependencies) {
      if (to === undefined) continue;
      const own = idOf(posix.dirname(graph.files.path(from)));
      const other = idOf(posix.dirname(path));
      if (own !== other) (targets[own] ??= new Set()).add(other);
    }
  }
  return { names: [...ids.keys()], ...folderLinks(ids.size, targets) };
});

function folderLinks(count: number, targets: readonly Set<number>[]): Omit<Folders, "names"> {
  const starts = new Uint32Array(count + 1);
  const all: number[] = [];
  const incoming = new Uint32Array(count);
  for (let folder = 0; folder < count; folder++) {
    for (const target of targets[folder] ?? []) {
      all.push(target);
      incoming[target]! += 1;
    }
    starts[folder + 1] = all.length;
  }
  const instability = Float64Array.from(incoming, (count_, folder) => {
    const outgoing = starts[folder + 1]! - starts[folder]!;
    return outgoing + count_ === 0 ? 0 : outgoing / (outgoing + count_);
  });
  const flags = new Uint8Array(all.length).fill(255);
  const edges = new Uint32Array(all.length);
  return { links: { starts, targets: Uint32Array.from(all), flags, edges }, instability };
}

/** Rules of `scope: "folder"`. */
export function* forbiddenFolders(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const { names, links, instability } = foldersOf(graph);
  const { of } = componentsOf(links);
  const from = new PlaceMatcher(rule.from);
  const to = new PlaceMatcher(rule.to);
  for (const [folder, name] of names.entries()) {
    if (!from.matches(name)) continue;
    const groups = from.groups(name);
    for (let link = links.starts[folder]!; link < links.starts[folder + 1]!; link++) {
      const target = links.targets[link]!;
      if (!to.matches(names[target]!, groups)) continue;
      if (!agrees(rule.to?.circular, of[folder] === of[target])) continue;
      if (!agrees(rule.to?.moreUnstable, instability[folder]! < instability[target]!)) continue;
      yield violation(rule, name, names[target]!);
    }
  }
}

function agrees(wanted: boolean | undefined, actual: boolean): boolean {
  return wanted === undefined || wanted === actual;
}

function violation(rule: ForbiddenRule, sourceFile: string, targetFile: string): Violation {
  return {
    rule: rule.name,
    severity: rule.severity ?? "warning",
    sourceFile,
    targetFile,
    description: rule.comment ?? `the folder ${sourceFile} must not depend on ${targetFile}`,
  };
}
