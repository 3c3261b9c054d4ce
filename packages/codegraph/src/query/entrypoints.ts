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

/** Tests and a package's door are ways in too, but not what somebody means by an entrypoint. */
export function isServed(kind: EntrypointKind): boolean {
  return kind === "route" || kind === "page" || kind === "command" || kind === "job";
}

export function servedIn(graph: CodeGraph, file: number): number[] {
  return [...graph.entrypoints.inFile(file)].filter((row) => isServed(graph.entrypoints.kind(row)));
}

export function isTest(graph: CodeGraph, file: number): boolean {
  return graph.files.kind(file) === "test";
}
