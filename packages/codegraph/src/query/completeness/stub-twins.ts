import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { codeBeside, typesBeside } from "../names/types-beside.ts";

/** The folders of modules and of stubs at the start of a path. */
const ROOTS = /^(?:.*\/)?(?:src|lib|python|typings|stubs)\//;

/** `shapes/__init__.py`, `src/shapes.py` and `shapes-stubs/__init__.pyi` are one module. */
function moduleKey(path: string): string {
  return path
    .replace(/(?:\/__init__)?\.pyi?$/, "")
    .replace(ROOTS, "")
    .replace(/(?<=^|\/)([^/]+)-stubs(?=\/|$)/, "$1");
}

/** Python files by module. A module with a stub has at least two. */
const filesByModule: (graph: CodeGraph) => ReadonlyMap<string, readonly string[]> = perGraph(
  ({ files }) => {
    const found = new Map<string, string[]>();
    for (let file = 0; file < files.count; file++) {
      if (files.language(file) !== "python") continue;
      const path = files.path(file);
      const key = moduleKey(path);
      const known = found.get(key);
      if (known) known.push(path);
      else found.set(key, [path]);
    }
    return found;
  },
);

/**
 * The stub of a Python module, the types of a JavaScript file, or the code of a stub or of types.
 * Both declare the imported names, so an import may mean either.
 */
export function findStubTwin(graph: CodeGraph, file: number): string | undefined {
  const path = graph.files.path(file);
  if (graph.files.language(file) !== "python") {
    return typesBeside(graph, path) ?? codeBeside(graph, path);
  }
  const isStub = path.endsWith(".pyi");
  const same = filesByModule(graph).get(moduleKey(path)) ?? [];
  return same.find((other) => other.endsWith(".pyi") !== isStub);
}
