import type { CodeGraph } from "../../graph/index.ts";
import { linksIn, neighbours, perGraph } from "../../analysis/index.ts";
import { getDynamicImports } from "./completeness.ts";

/** The files that use a whole module, by module. */
const takers: (graph: CodeGraph) => ReadonlyMap<number, ReadonlySet<number>> = perGraph((graph) => {
  const { imports, bindings } = graph;
  const found = new Map<number, Set<number>>();
  for (let row = 0; row < bindings.count; row++) {
    if (bindings.name(row) !== "*" && bindings.export(row) !== undefined) continue;
    const edge = bindings.edge(row);
    const known = found.get(imports.to(edge));
    if (known) known.add(imports.from(edge));
    else found.set(imports.to(edge), new Set([imports.from(edge)]));
  }
  return found;
});

const computing: (graph: CodeGraph) => ReadonlySet<number> = perGraph(({ gaps }) => {
  const found = new Set<number>();
  for (let gap = 0; gap < gaps.count; gap++) {
    if (gaps.kind(gap) === "dynamic") found.add(gaps.file(gap));
  }
  return found;
});

/**
 * The files of a set that may have all of a module: they import it, or a re-export of it, as a
 * whole, they compute the module to import, or they import a file that does one of these.
 */
export function nearTakers(
  graph: CodeGraph,
  file: number,
  users: ReadonlySet<number>,
): Set<number> {
  if (users.size === 0) return new Set();
  const near = new Set<number>();
  const isComputed = getDynamicImports(graph, graph.files.path(file)) > 0;
  const having = [file, ...handedOnBy(graph, file)].flatMap((each) => [
    ...(takers(graph).get(each) ?? []),
  ]);
  for (const taker of [...having, ...(isComputed ? computing(graph) : [])]) {
    near.add(taker);
    for (const importer of neighbours(linksIn(graph), taker)) near.add(importer);
  }
  return new Set([...users].filter((user) => near.has(user)));
}

/** The files that re-export something of a file. */
function handedOnBy({ exports }: CodeGraph, file: number): Set<number> {
  const found = new Set<number>();
  for (const row of exports.inFile(file)) {
    for (const forward of exports.forwards(row)) found.add(exports.file(forward));
  }
  return found;
}
