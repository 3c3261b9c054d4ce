import { linksOut, overallRank } from "../analysis/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { circlesOf, hotspotsIn } from "../query/index.ts";
import type { GraphView } from "../query/index.ts";
import { checkRules } from "../rules/index.ts";
import type { Violation } from "../rules/index.ts";
import { filesDrawn } from "./drawing.ts";
import { pictureLayers } from "./picture-layers.ts";

/** A whole tree in compact form, for drawing. Files are referred to by index. */
export interface GraphPicture {
  readonly root: string;
  /** The files, sorted by path. */
  readonly files: readonly string[];
  /** Pairs of file indexes, one after the other: importer, imported. */
  readonly imports: readonly number[];
  /** The folders that are layers. Those that others are built on come first. */
  readonly layers: readonly string[];
  /** The layer of each file; -1 for none. */
  readonly layer_of: readonly number[];
  /** The files with the most dependents, most important first; 1 is the most important. */
  readonly hotspots: readonly { readonly file: number; readonly score: number }[];
  /** Import cycles, the worst first. */
  readonly cycles: readonly (readonly number[])[];
  /** The rule violations. `to` is -1 if the target is not in the picture. */
  readonly violations: readonly PictureViolation[];
  /** Files that differ from the last commit. */
  readonly changed: readonly number[];
  /** Sentences about parts that the picture leaves out. */
  readonly notes: readonly string[];
}

export interface PictureViolation {
  readonly from: number;
  readonly to: number;
  readonly rule: string;
  readonly message: string;
}

export interface PictureOptions {
  /** The most files; the least important are left out (default: 20,000). */
  readonly maxFiles?: number;
  /** The most imports (default: 200,000) */
  readonly maxImports?: number;
}

const MAX_CYCLES = 200;
const MAX_VIOLATIONS = 1_000;
const MAX_MESSAGE = 300;

/** The files in the picture, with their indexes. */
interface Shown {
  readonly files: readonly number[];
  /** The index in the picture of each file of the graph; -1 for none. */
  readonly indexOf: Int32Array;
}

function shownFiles(graph: CodeGraph, all: readonly number[], most: number): Shown {
  const rank = overallRank(graph);
  const kept = all.length <= most ? all : all.toSorted((a, b) => rank[b]! - rank[a]! || a - b);
  const files = kept.slice(0, most).toSorted((a, b) => a - b);
  const indexOf = new Int32Array(graph.files.count).fill(-1);
  for (const [index, file] of files.entries()) indexOf[file] = index;
  return { files, indexOf };
}

function getImports(graph: CodeGraph, { files, indexOf }: Shown): number[] {
  const links = linksOut(graph);
  const pairs: number[] = [];
  for (const [index, file] of files.entries()) {
    for (let link = links.starts[file]!; link < links.starts[file + 1]!; link++) {
      const to = indexOf[links.targets[link]!]!;
      if (to >= 0) pairs.push(index, to);
    }
  }
  return pairs;
}

function getHotspots(view: GraphView, { indexOf }: Shown): GraphPicture["hotspots"] {
  const rank = overallRank(view.graph);
  const files = hotspotsIn(view).map(({ path }) => view.graph.files.find(path)!);
  const top = rank[files[0] ?? 0] ?? 1;
  return files
    .filter((file) => indexOf[file]! >= 0)
    .map((file) => ({ file: indexOf[file]!, score: Number((rank[file]! / top).toFixed(3)) }));
}

function getCycles(graph: CodeGraph, { indexOf }: Shown): number[][] {
  return circlesOf(graph)
    .map(({ members }) => members.map((file) => indexOf[file]!).filter((index) => index >= 0))
    .filter(({ length }) => length > 1);
}

/** Describes a violation. A target outside the picture is named. */
function violationMessage({ description, targetFile }: Violation, to: number): string {
  return (to < 0 ? `${description}: ${targetFile}` : description).slice(0, MAX_MESSAGE);
}

function getViolations(view: GraphView, { indexOf }: Shown): PictureViolation[] {
  const place = (path: string): number => {
    const file = view.graph.files.find(path);
    return file === undefined ? -1 : indexOf[file]!;
  };
  return checkRules(view.graph, view.rules, view.root).map((violation) => {
    const [from, to] = [place(violation.sourceFile), place(violation.targetFile)];
    return { from, to, rule: violation.rule, message: violationMessage(violation, to) };
  });
}

/** The changed files; empty without git, or before the first commit. */
async function changedIn(
  view: GraphView,
  { indexOf }: Shown,
  signal: AbortSignal | undefined,
): Promise<number[] | undefined> {
  try {
    const changed = await view.changedSince("HEAD", signal);
    return changed
      .flatMap(({ path }) => view.graph.files.find(path) ?? [])
      .map((file) => indexOf[file]!)
      .filter((index) => index >= 0)
      .toSorted((a, b) => a - b);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Keeps the first items of a list, and notes how many were left out. */
class Bounded {
  readonly notes: string[] = [];

  first<T>(list: readonly T[], most: number, what: string): readonly T[] {
    this.note(list.length - most, `more ${what} are not shown`);
    return list.length <= most ? list : list.slice(0, most);
  }

  note(count: number, what: string): void {
    if (count > 0) this.notes.push(`${count} ${what}`);
  }
}

/** The tree as a picture of files and imports, with all marks. */
export async function graphPicture(
  view: GraphView,
  { maxFiles = 20_000, maxImports = 200_000 }: PictureOptions = {},
  signal?: AbortSignal,
): Promise<GraphPicture> {
  const { graph } = view;
  const all = filesDrawn(graph, undefined);
  const shown = shownFiles(graph, all, maxFiles);
  const bounded = new Bounded();
  bounded.note(all.length - shown.files.length, "less important files are not shown");
  const changed = await changedIn(view, shown, signal);
  const imports = getImports(graph, shown);
  bounded.note(imports.length / 2 - maxImports, "more imports are not shown");
  const layers = pictureLayers(graph, shown.files);
  bounded.note(layers.omitted, "smaller folders share a colour");
  const violations = getViolations(view, shown);
  const placed = violations.filter(({ from }) => from >= 0);
  bounded.note(violations.length - placed.length, "violations are in files that are not shown");
  if (changed === undefined) bounded.notes.push("There is no commit to compare with");
  return {
    root: view.root,
    files: shown.files.map((file) => graph.files.path(file)),
    imports: imports.slice(0, maxImports * 2),
    layers: layers.names,
    layer_of: shown.files.map((file) => layers.of[file]!),
    hotspots: getHotspots(view, shown),
    cycles: bounded.first(getCycles(graph, shown), MAX_CYCLES, "cycles"),
    violations: bounded.first(placed, MAX_VIOLATIONS, "violations"),
    changed: changed ?? [],
    notes: bounded.notes,
  };
}
