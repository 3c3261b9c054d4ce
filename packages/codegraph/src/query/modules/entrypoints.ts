import type { CodeGraph, EntrypointKind } from "../../graph/index.ts";
import { FILE_KINDS } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

const TEST = FILE_KINDS.indexOf("test");

/** An entry point, named by what it serves. */
export interface EntrypointItem {
  readonly type: EntrypointKind;
  readonly name: string;
  readonly path: string;
}

export function entrypointItem(graph: CodeGraph, row: number): EntrypointItem {
  const { entrypoints, files } = graph;
  return {
    type: entrypoints.kind(row),
    name: entrypoints.text(row),
    path: files.path(entrypoints.file(row)),
  };
}

const SERVED: ReadonlySet<EntrypointKind> = new Set(["route", "page", "command", "job"]);

/**
 * The entry points that users mean: not tests, not a package's main file, and not routes that a
 * test creates.
 */
export function isServed(graph: CodeGraph, row: number): boolean {
  const { entrypoints } = graph;
  return SERVED.has(entrypoints.kind(row)) && !isTest(graph, entrypoints.file(row));
}

/** An array with a 1 for each file with a served entry point. */
export const servingFiles: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const found = new Uint8Array(graph.files.count);
  for (let row = 0; row < graph.entrypoints.count; row++) {
    if (isServed(graph, row)) found[graph.entrypoints.file(row)] = 1;
  }
  return found;
});

export function servedIn(graph: CodeGraph, file: number): number[] {
  return [...graph.entrypoints.inFile(file)].filter((row) => isServed(graph, row));
}

export function isTest(graph: CodeGraph, file: number): boolean {
  return graph.files.columns.kind[file] === TEST;
}
