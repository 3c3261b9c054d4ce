import type { CodeGraph, EntrypointKind } from "../graph/index.ts";

/** A way into the program, named by what it serves. */
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
 * What somebody means by an entrypoint: not tests and not a package's door, and not the routes
 * that a test makes for itself.
 */
export function isServed(graph: CodeGraph, row: number): boolean {
  const { entrypoints } = graph;
  return SERVED.has(entrypoints.kind(row)) && !isTest(graph, entrypoints.file(row));
}

export function servedIn(graph: CodeGraph, file: number): number[] {
  return [...graph.entrypoints.inFile(file)].filter((row) => isServed(graph, row));
}

export function isTest(graph: CodeGraph, file: number): boolean {
  return graph.files.kind(file) === "test";
}
