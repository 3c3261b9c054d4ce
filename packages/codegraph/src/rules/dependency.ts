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
  /** The function that is called in place of `require`. */
  readonly by: string | undefined;
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
  /** The functions that stand for `require` in a file, by line and by what they load. */
  readonly #functions = new Map<string, string>();

  constructor(graph: CodeGraph) {
    this.#graph = graph;
  }

  collect(file: number): Dependency[] {
    this.#found.clear();
    this.#readFunctions(file);
    this.#addImports(file);
    this.#addPackages(file);
    this.#addUnresolved(file);
    return [...this.#found.values()].map(({ typeOnly, ...dependency }) => {
      if (typeOnly) dependency.types.add("type-only").add("pre-compilation-only");
      return dependency;
    });
  }

  #add(
    seen: Omit<Dependency, "types" | "by"> & { readonly typeOnly: boolean },
    way: DependencyType | undefined,
    origin: readonly DependencyType[],
  ): void {
    const { path, line } = seen;
    const by = this.#functions.size === 0 ? undefined : this.#functions.get(`${line} ${path}`);
    const key = by === undefined ? path : `${by} ${path}`;
    const known = this.#found.get(key);
    const dependency = known ?? { ...seen, by, types: new Set<DependencyType>() };
    if (known === undefined) this.#found.set(key, dependency);
    dependency.typeOnly &&= seen.typeOnly;
    for (const type of origin) dependency.types.add(type);
    if (way !== undefined) dependency.types.add(by === undefined ? way : "exotic-require");
  }

  #readFunctions(file: number): void {
    const { exotic } = this.#graph;
    this.#functions.clear();
    for (const row of exotic.inFile(file)) {
      const path = pathOf(exotic.kind(row), exotic.detail(row));
      this.#functions.set(`${exotic.line(row)} ${path}`, exotic.text(row));
    }
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
      this.#add(seen, KIND_TYPES[imports.kind(edge)], ["local", ...aliasTypes(imports.how(edge))]);
    }
  }

  #addPackages(file: number): void {
    const { packages } = this.#graph;
    for (const row of packages.inFile(file)) {
      const kind = packages.kind(row);
      const isCore = kind === "builtin";
      const name = packages.text(row);
      const path = pathOf(kind, isCore ? packages.detail(row) : name);
      const types: DependencyType[] = isCore ? ["core"] : packageTypes(this.#graph, file, name);
      const seen = { from: file, to: undefined, path, line: packages.line(row), typeOnly: false };
      this.#add(seen, "import", types);
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
      this.#add(seen, undefined, ["unknown"]);
    }
  }
}

/** How rules name what is loaded. */
function pathOf(kind: "file" | "package" | "builtin" | "nowhere", loaded: string): string {
  if (kind === "builtin") return loaded.replace(/^node:/u, "");
  return kind === "package" ? `node_modules/${loaded}` : loaded;
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
