import type { CodeGraph, ImportKind } from "../../graph/index.ts";

interface ImportItem {
  readonly kind: ImportKind;
  readonly line: number;
  readonly confidence?: string;
  readonly typeOnly?: true;
}

/** An import in the form of answers, without fields that have their usual value. */
export function importItem({ imports }: CodeGraph, edge: number): ImportItem {
  const confidence = imports.confidence(edge);
  return {
    kind: imports.kind(edge),
    line: imports.line(edge),
    ...(confidence !== "exact" && { confidence }),
    ...(imports.typeOnly(edge) && { typeOnly: true }),
  };
}
