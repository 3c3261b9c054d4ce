import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

const MODULES = new Set(["typescript", "javascript"]);

/**
 * 1 for each file whose exports are completely known. Scripts and CommonJS may export anything, and
 * a file may re-export a whole package, whose names are unknown.
 */
const knownExports: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const { files, exports, packages, imports } = graph;
  const known = new Uint8Array(files.count);
  for (let row = 0; row < exports.count; row++) {
    const file = exports.file(row);
    if (exports.kind(row) !== "assigned" && isModule(graph, file)) known[file] = 1;
  }
  for (let row = 0; row < packages.count; row++) {
    if (packages.kind(row) === "package") known[packages.file(row)] = 0;
  }
  const open: number[] = [];
  for (let file = 0; file < known.length; file++) if (known[file] === 0) open.push(file);
  // A re-export of a file with unknown exports makes this file's exports unknown too.
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const edge of imports.into(file)) {
      const from = imports.from(edge);
      if (imports.kind(edge) !== "reexport" || known[from] === 0) continue;
      known[from] = 0;
      open.push(from);
    }
  }
  return known;
});

function isModule({ files }: CodeGraph, file: number): boolean {
  return (
    files.kind(file) === "module" &&
    files.state(file) === "parsed" &&
    MODULES.has(files.language(file))
  );
}

export function hasAllExports(graph: CodeGraph, file: number): boolean {
  return knownExports(graph)[file] === 1;
}
