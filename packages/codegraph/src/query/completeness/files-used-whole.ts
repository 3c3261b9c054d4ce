import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

/**
 * An array with a 1 for each file that is used as a whole, so that any of its names may be used.
 */
export const filesUsedWhole: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const taken = namespaced(graph);
  const { imports } = graph;
  for (let edge = 0; edge < imports.count; edge++) {
    if (imports.kind(edge) !== "reexport" && takesWhole(graph, edge)) taken[imports.to(edge)] = 1;
  }
  return withHandedOn(graph, taken);
});

function takesWhole({ imports, bindings }: CodeGraph, edge: number): boolean {
  let count = 0;
  for (const row of bindings.ofEdge(edge)) {
    const name = bindings.name(row);
    // Without a default export, `default` means the whole CommonJS module.
    if (name === "*" || (name === "default" && bindings.export(row) === undefined)) return true;
    count += 1;
  }
  const kind = imports.kind(edge);
  return count === 0 && (kind === "annotation" || kind === "dynamic" || kind === "require");
}

/** Adds the targets of `export *`: a file that imports all of another file imports its re-exports too. */
function withHandedOn({ imports, bindings }: CodeGraph, taken: Uint8Array): Uint8Array {
  const pending = [...taken.keys()].filter((file) => taken[file] === 1);
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const edge of imports.outOf(file)) {
      const to = imports.to(edge);
      if (taken[to] === 1 || imports.kind(edge) !== "reexport") continue;
      if (![...bindings.ofEdge(edge)].some((row) => bindings.name(row) === "*")) continue;
      taken[to] = 1;
      pending.push(to);
    }
  }
  return taken;
}

/** A file behind `export * as ns from` is used by all users of ns. */
function namespaced({ files, imports, exports }: CodeGraph): Uint8Array {
  const found = new Uint8Array(files.count);
  for (let row = 0; row < exports.count; row++) {
    if (exports.kind(row) !== "namespace") continue;
    for (const edge of imports.outOf(exports.file(row))) {
      if (imports.line(edge) === exports.line(row)) found[imports.to(edge)] = 1;
    }
  }
  return found;
}
