import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { readLetters } from "./search-letters.ts";

/** Each name in the code, once. */
export interface NameIndex {
  /** The numbers of the strings in the graph. */
  readonly ids: Uint32Array;
  readonly lower: readonly string[];
  /** The letters of each name, as bits: one comparison excludes most names. */
  readonly letters: Uint32Array;
}

/** While symbols are missing, the names of exports are used. */
export const nameIndex: (graph: CodeGraph) => NameIndex = perGraph((graph) => {
  const seen = new Uint8Array(graph.strings.count);
  const { symbols, exports } = graph.tables;
  for (let row = 0; row < symbols.name.length; row++) {
    if (symbols.kind[row] !== 0) seen[symbols.name[row]!] = 1;
  }
  for (const id of exports.name) seen[id] = 1;
  const ids: number[] = [];
  for (let id = 0; id < seen.length; id++) if (seen[id] === 1) ids.push(id);
  const lower = ids.map((id) => graph.strings.get(id).toLowerCase());
  return { ids: Uint32Array.from(ids), lower, letters: Uint32Array.from(lower, readLetters) };
});

/** An index of the paths of files and folders, to search them by their last segment. */
export interface PathIndex {
  readonly paths: readonly string[];
  /** The file; undefined for a folder. */
  readonly files: readonly (number | undefined)[];
  readonly lower: readonly string[];
  readonly letters: Uint32Array;
  /** The last segments; `lowerBases` has them in lower case. */
  readonly bases: readonly string[];
  readonly lowerBases: readonly string[];
  readonly baseLetters: Uint32Array;
}

export const pathIndex: (graph: CodeGraph) => PathIndex = perGraph((graph) => {
  const paths: string[] = [];
  const files: (number | undefined)[] = [];
  const folders = new Set<string>();
  for (let file = 0; file < graph.files.count; file++) {
    const path = graph.files.path(file);
    paths.push(path);
    files.push(file);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  for (const folder of [...folders].toSorted()) {
    paths.push(folder);
    files.push(undefined);
  }
  const lower = paths.map((path) => path.toLowerCase());
  const lowerBases = lower.map(baseName);
  return {
    paths,
    files,
    lower,
    letters: Uint32Array.from(lower, readLetters),
    bases: paths.map(baseName),
    lowerBases,
    baseLetters: Uint32Array.from(lowerBases, readLetters),
  };
});

const folderNames: (graph: CodeGraph) => ReadonlySet<string> = perGraph((graph) => {
  const { paths, files } = pathIndex(graph);
  return new Set(["", ...paths.filter((_, at) => files[at] === undefined)]);
});

export function isFolder(graph: CodeGraph, path: string): boolean {
  return folderNames(graph).has(path);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderName(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
