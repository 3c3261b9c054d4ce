import type { CodeGraph } from "../graph/index.ts";
import { perGraph } from "../analysis/index.ts";
import type { DependencyType } from "./rule.ts";
import { packageTypes } from "./package-types.ts";

/** That one file needs something, however many of its lines say so. */
export interface Dependency {
  readonly from: number;
  /** Undefined where it leads out of the tree, or nowhere. */
  readonly to: number | undefined;
  /** The path of the file, `node_modules/<package>`, or what could not be resolved. */
  readonly path: string;
  readonly line: number;
  readonly types: ReadonlySet<DependencyType>;
}

const KIND_TYPES = {
  import: "import",
  reexport: "export",
  dynamic: "dynamic-import",
  require: "require",
  annotation: "annotation",
  package: "import",
} as const;

interface Growing extends Dependency {
  readonly types: Set<DependencyType>;
  typeOnly: boolean;
}

class Collector {
  readonly #graph: CodeGraph;
  readonly #found = new Map<string, Growing>();

  constructor(graph: CodeGraph) {
    this.#graph = graph;
  }

  collect(file: number): Dependency[] {
    this.#found.clear();
    this.#addImports(file);
    this.#addPackages(file);
    this.#addUnresolved(file);
    return [...this.#found.values()].map(({ typeOnly, ...dependency }) => {
      if (typeOnly) dependency.types.add("type-only");
      return dependency;
    });
  }

  #add(
    seen: Omit<Dependency, "types"> & { readonly typeOnly: boolean },
    types: readonly DependencyType[],
  ): void {
    const known = this.#found.get(seen.path);
    const dependency = known ?? { ...seen, types: new Set<DependencyType>() };
    if (known === undefined) this.#found.set(seen.path, dependency);
    dependency.typeOnly &&= seen.typeOnly;
    for (const type of types) dependency.types.add(type);
  }

  #addImports(file: number): void {
    const { imports, files } = this.#graph;
    for (const edge of imports.outOf(file)) {
      const to = imports.to(edge);
      const seen = {
        from: file,
        to,
        path: files.path(to),
        line: imports.line(edge),
        typeOnly: imports.typeOnly(edge),
      };
      this.#add(seen, ["local", KIND_TYPES[imports.kind(edge)], ...aliasTypes(imports.how(edge))]);
    }
  }

  #addPackages(file: number): void {
    const { packages } = this.#graph;
    for (const row of packages.inFile(file)) {
      const isCore = packages.kind(row) === "builtin";
      const name = packages.text(row);
      const path = isCore ? packages.detail(row).replace(/^node:/u, "") : `node_modules/${name}`;
      const types: DependencyType[] = isCore ? ["core"] : packageTypes(this.#graph, file, name);
      const seen = { from: file, to: undefined, path, line: packages.line(row), typeOnly: false };
      this.#add(seen, ["import", ...types]);
    }
  }

  #addUnresolved(file: number): void {
    const { gaps, files } = this.#graph;
    // What a manifest names in vain is no import.
    if (files.kind(file) === "asset") return;
    for (const row of gaps.inFile(file)) {
      if (gaps.kind(row) !== "unresolved") continue;
      const path = gaps.text(row);
      const seen = { from: file, to: undefined, path, line: gaps.line(row), typeOnly: false };
      this.#add(seen, ["unknown", "import"]);
    }
  }
}

function aliasTypes(how: string): DependencyType[] {
  if (how === "alias") return ["aliased"];
  return how === "workspace" ? ["aliased", "aliased-workspace"] : [];
}

/** The dependencies of each file. */
export const dependenciesOf: (graph: CodeGraph) => readonly (readonly Dependency[])[] = perGraph(
  (graph) => {
    const collector = new Collector(graph);
    return Array.from({ length: graph.files.count }, (_, file) => collector.collect(file));
  },
);
