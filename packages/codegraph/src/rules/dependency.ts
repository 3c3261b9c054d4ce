import type { CodeGraph, ImportKind } from "../graph/index.ts";
import { perGraph } from "../analysis/index.ts";
import type { DependencyType } from "./rule.ts";
import { packageTypes } from "./package-types.ts";

/** A dependency of one file on another, of one kind. Several imports can form one dependency. */
export interface Dependency {
  readonly from: number;
  /** The target file; undefined if it is outside of the tree or not found. */
  readonly to: number | undefined;
  /** The path of the file, `node_modules/<package>`, or the unresolved specifier. */
  readonly path: string;
  readonly line: number;
  readonly types: ReadonlySet<DependencyType>;
  readonly isDynamic: boolean;
  /** Whether the dependency disappears when types are removed. */
  readonly isErased: boolean;
  /** The function that is used like `require`. */
  readonly by: string | undefined;
}

const KIND_TYPES: Readonly<Record<ImportKind, DependencyType>> = {
  import: "import",
  reexport: "export",
  dynamic: "dynamic-import",
  require: "require",
  annotation: "annotation",
  package: "import",
};

/** One place that refers to a module. */
interface Place extends Pick<Dependency, "from" | "to" | "path" | "line" | "by"> {
  readonly way: ImportKind;
  readonly typeOnly: boolean;
}

interface Growing extends Dependency {
  readonly types: Set<DependencyType>;
  isDynamic: boolean;
  readonly typeOnly: boolean;
}

class Collector {
  readonly #graph: CodeGraph;
  readonly #found = new Map<string, Growing>();
  /** Packages that an import or `require` needs at run time. */
  readonly #kept = new Set<string>();

  constructor(graph: CodeGraph) {
    this.#graph = graph;
  }

  collect(file: number): Dependency[] {
    this.#found.clear();
    this.#kept.clear();
    this.#addImports(file);
    this.#addPackages(file);
    this.#addUnresolved(file);
    return [...this.#found.values()].map(({ typeOnly, ...dependency }) => {
      const isErased = typeOnly && !this.#kept.has(dependency.path);
      if (isErased && !dependency.types.has("unknown"))
        dependency.types.add("pre-compilation-only");
      return { ...dependency, isErased };
    });
  }

  /** Types, values, `require` and other loading functions each form a separate dependency. */
  #add({ way, typeOnly, ...place }: Place, origin: readonly DependencyType[]): void {
    const { path, by } = place;
    const isDynamic = way === "dynamic";
    if (!typeOnly && !isDynamic && by === undefined) this.#kept.add(path);
    const key = `${by ?? (way === "require" ? "()" : "")} ${typeOnly ? "type" : ""} ${path}`;
    const known = this.#found.get(key);
    const types = known?.types ?? new Set(origin);
    if (known) known.isDynamic ||= isDynamic;
    else this.#found.set(key, { ...place, types, typeOnly, isDynamic, isErased: false });
    // An unresolved dependency has no other dependency type.
    if (types.has("unknown")) return;
    types.add(by === undefined ? KIND_TYPES[way] : "exotic-require");
    if (typeOnly) types.add("type-only");
  }

  #addImports(file: number): void {
    const { imports, files } = this.#graph;
    for (const edge of imports.outOf(file)) {
      const to = imports.to(edge);
      const place = {
        from: file,
        to,
        path: files.path(to),
        line: imports.line(edge),
        way: imports.kind(edge),
        typeOnly: imports.typeOnly(edge),
        by: imports.by(edge),
      };
      this.#add(place, ["local", ...aliasTypes(imports.how(edge))]);
    }
  }

  #addPackages(file: number): void {
    const { packages } = this.#graph;
    for (const row of packages.inFile(file)) {
      const isCore = packages.kind(row) === "builtin";
      const name = packages.text(row);
      const path = isCore ? packages.detail(row).replace(/^node:/u, "") : `node_modules/${name}`;
      const origin: DependencyType[] = isCore ? ["core"] : packageTypes(this.#graph, file, name);
      this.#add(outside(file, path, packages, row), origin);
    }
  }

  #addUnresolved(file: number): void {
    const { gaps, files } = this.#graph;
    // A missing file in a manifest is not an import.
    if (files.kind(file) === "asset") return;
    for (const row of gaps.inFile(file)) {
      if (gaps.kind(row) !== "unresolved") continue;
      this.#add(outside(file, gaps.text(row), gaps, row), ["unknown"]);
    }
  }
}

/** A place that refers to something outside of the tree. */
function outside(
  from: number,
  path: string,
  notes: CodeGraph["gaps"] | CodeGraph["packages"],
  row: number,
): Place {
  const [line, way] = [notes.line(row), notes.way(row)];
  return { from, to: undefined, path, line, way, typeOnly: notes.typeOnly(row), by: notes.by(row) };
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
