import type { SavedGraph } from "../../graph/index.ts";
import { findStamp } from "../files/walk.ts";
import type { Stamp } from "../files/walk.ts";
import type { SourceFile } from "../link/source-file.ts";

/** The files that changed; undefined if a file was added or removed. */
export function editsIn(
  files: readonly SourceFile[],
  stamps: readonly Stamp[],
): Map<number, Stamp> | undefined {
  if (files.length !== stamps.length) return undefined;
  const edits = new Map<number, Stamp>();
  for (const [id, { path, mtimeMs, bytes }] of files.entries()) {
    const stamp = stamps[id]!;
    if (stamp.path !== path) return undefined;
    if (stamp.mtimeMs !== mtimeMs || stamp.size !== bytes) edits.set(id, stamp);
  }
  return edits;
}

/** Changes of these files can add or remove other files. */
const IGNORES = /(?:^|\/)\.gitignore$/;

/** Like `editsIn`, for these files only. `find` returns the number of a file. */
export function editsAt(
  root: string,
  find: (path: string) => number | undefined,
  paths: readonly string[],
): Map<number, Stamp> | undefined {
  const edits = new Map<number, Stamp>();
  for (const path of paths) {
    const id = find(path);
    const stamp = findStamp(root, path);
    if (id === undefined || !stamp || IGNORES.test(path)) return undefined;
    edits.set(id, stamp);
  }
  return edits;
}

/** Whether the files on disk have the times and sizes of the saved graph. */
export function isUnchanged({ graph, mtimes }: SavedGraph, stamps: readonly Stamp[]): boolean {
  const { files } = graph;
  if (files.count !== stamps.length) return false;
  return stamps.every(
    ({ path, mtimeMs, size }, file) =>
      mtimes[file] === mtimeMs && files.bytes(file) === size && files.path(file) === path,
  );
}
