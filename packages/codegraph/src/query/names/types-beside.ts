import { perGraph } from "../../analysis/index.ts";
import type { CodeGraph } from "../../graph/index.ts";

const CODE = /^(.*)\.([cm]?)jsx?$/u;
const TYPES = /^(.*)\.d\.([cm]?)ts$/u;

/** The types of a JavaScript file. An import of `memo` leads to `memo.d.ts` and runs `memo.js`. */
export function typesBeside(graph: CodeGraph, path: string): string | undefined {
  const [, stem, kind = ""] = CODE.exec(path) ?? [];
  if (stem === undefined) return undefined;
  const types = `${stem}.d.${kind}ts`;
  return graph.files.find(types) === undefined ? undefined : types;
}

/** The JavaScript file beside a file with types. */
export function codeBeside(graph: CodeGraph, path: string): string | undefined {
  const [, stem, kind = ""] = TYPES.exec(path) ?? [];
  if (stem === undefined) return undefined;
  const code = [`${stem}.${kind}js`, `${stem}.${kind}jsx`];
  return code.find((each) => graph.files.find(each) !== undefined);
}

/** The JavaScript files with types beside them, which have the imports that run the code. */
const filesWithTypes: (graph: CodeGraph) => ReadonlySet<number> = perGraph((graph) => {
  const found = new Set<number>();
  for (let file = 0; file < graph.files.count; file++) {
    if (typesBeside(graph, graph.files.path(file)) !== undefined) found.add(file);
  }
  return found;
});

/** How many of these files have types beside them. */
export function countWithTypes(graph: CodeGraph, files: Iterable<number>): number {
  const known = filesWithTypes(graph);
  let count = 0;
  if (known.size > 0) for (const file of files) if (known.has(file)) count += 1;
  return count;
}
