import { posix } from "node:path";
import type { CodeGraph } from "../graph/index.ts";
import { linkCount, linksIn, perGraph } from "../analysis/index.ts";
import { getCircle, isCircular } from "./circles.ts";
import { dependenciesOf } from "./dependency.ts";
import type { Dependency } from "./dependency.ts";
import type { InstalledPackages } from "./installed-packages.ts";
import { PlaceMatcher } from "./places.ts";
import type { DependencyType, FromPart, Paths, ToPart } from "./rule.ts";
import { hasType, ViaMatcher, viaParts } from "./via-matcher.ts";

const PACKAGE = /^node_modules\/(.+)$/u;

const ORIGINS: ReadonlySet<DependencyType> = new Set([
  "core",
  "local",
  "npm",
  "npm-bundled",
  "npm-dev",
  "npm-no-pkg",
  "npm-optional",
  "npm-peer",
  "npm-unknown",
]);

/** The instability of each file: the share of its neighbours that it depends on. */
const instabilities: (graph: CodeGraph) => Float64Array = perGraph((graph) => {
  const incoming = linksIn(graph);
  return Float64Array.from(dependenciesOf(graph), ({ length }, file) => {
    const all = length + linkCount(incoming, file);
    return all === 0 ? 0 : length / all;
  });
});

function wordMatcher(path: Paths | undefined, pathNot: Paths | undefined): PlaceMatcher {
  return new PlaceMatcher({ ...(path && { path }), ...(pathNot && { pathNot }) });
}

/** Checks whether a dependency matches a rule. */
export class DependencyMatcher {
  readonly from: PlaceMatcher;
  readonly #to: PlaceMatcher;
  readonly #part: ToPart;
  readonly #via: readonly ViaMatcher[];
  readonly #licence: PlaceMatcher;
  readonly #function: PlaceMatcher;
  readonly #installed: InstalledPackages | undefined;

  constructor(from: FromPart = {}, to: ToPart = {}, installed?: InstalledPackages) {
    this.from = new PlaceMatcher(from);
    this.#to = new PlaceMatcher(to);
    this.#part = to;
    this.#via = viaParts(to).map(({ part, all }) => new ViaMatcher(part, all));
    this.#licence = wordMatcher(to.license, to.licenseNot);
    this.#function = wordMatcher(to.exoticRequire, to.exoticRequireNot);
    this.#installed = installed;
  }

  /** `groups` are the captures of `from` in the path of the file. */
  matches(graph: CodeGraph, dependency: Dependency, groups: readonly string[]): boolean {
    return (
      this.#to.matches(dependency.path, groups) &&
      this.#matchesTypes(graph, dependency) &&
      this.#matchesFacts(graph, dependency) &&
      this.#matchesFunction(dependency) &&
      this.#matchesLicence(graph, dependency) &&
      this.#matchesCircle(graph, dependency, groups)
    );
  }

  #matchesTypes(graph: CodeGraph, dependency: Dependency): boolean {
    const { dependencyTypes, dependencyTypesNot, moreThanOneDependencyType } = this.#part;
    const has = (wanted: readonly DependencyType[]): boolean =>
      hasType(dependency.types, wanted) ||
      (wanted.includes("deprecated") && this.#package(graph, dependency)?.isDeprecated === true);
    if (dependencyTypes !== undefined && !has(dependencyTypes)) return false;
    if (dependencyTypesNot !== undefined && has(dependencyTypesNot)) return false;
    if (moreThanOneDependencyType === undefined) return true;
    const origins = [...dependency.types].filter((type) => ORIGINS.has(type)).length;
    return origins > 1 === moreThanOneDependencyType;
  }

  #matchesFacts(graph: CodeGraph, dependency: Dependency): boolean {
    const { dynamic, couldNotResolve, preCompilationOnly } = this.#part;
    const { isDynamic, isErased } = dependency;
    return (
      (dynamic === undefined || isDynamic === dynamic) &&
      (couldNotResolve === undefined || this.#isLost(graph, dependency) === couldNotResolve) &&
      (preCompilationOnly === undefined || isErased === preCompilationOnly) &&
      this.#matchesStability(graph, dependency) &&
      this.#matchesAncestor(graph, dependency)
    );
  }

  /** A package that is neither listed nor installed cannot be resolved. */
  #isLost(graph: CodeGraph, dependency: Dependency): boolean {
    const { types } = dependency;
    if (types.has("unknown")) return true;
    const isListed = !types.has("npm-no-pkg") && !types.has("npm-unknown");
    if (isListed || this.#installed === undefined) return false;
    return this.#package(graph, dependency) === undefined;
  }

  /** A dependency without another loading function matches no rule about such functions. */
  #matchesFunction({ by }: Dependency): boolean {
    const { exoticallyRequired } = this.#part;
    if (exoticallyRequired !== undefined && (by !== undefined) !== exoticallyRequired) return false;
    return this.#function.isOpen || (by !== undefined && this.#function.matches(by));
  }

  /** A package without a known licence cannot violate a licence rule. */
  #matchesLicence(graph: CodeGraph, dependency: Dependency): boolean {
    if (this.#licence.isOpen) return true;
    const licence = this.#package(graph, dependency)?.licence;
    return licence !== undefined && licence !== "" && this.#licence.matches(licence);
  }

  #package(graph: CodeGraph, { from, path }: Dependency): ReturnType<InstalledPackages["find"]> {
    const name = PACKAGE.exec(path)?.[1];
    return name === undefined ? undefined : this.#installed?.find(graph.files.path(from), name);
  }

  #matchesStability(graph: CodeGraph, { from, to }: Dependency): boolean {
    const { moreUnstable } = this.#part;
    if (moreUnstable === undefined) return true;
    const all = instabilities(graph);
    if (to === undefined) return false;
    const isMore = all[from]! < all[to]!;
    return isMore === moreUnstable;
  }

  #matchesAncestor(graph: CodeGraph, { from, to, path }: Dependency): boolean {
    const { ancestor } = this.#part;
    if (ancestor === undefined) return true;
    if (to === undefined) return false;
    const own = `${posix.dirname(graph.files.path(from))}/`;
    const other = posix.dirname(path) === "." ? "" : `${posix.dirname(path)}/`;
    return (own !== other && own.startsWith(other) && own !== "./") === ancestor;
  }

  #matchesCircle(graph: CodeGraph, { from, to }: Dependency, groups: readonly string[]): boolean {
    const { circular } = this.#part;
    if (circular !== undefined) {
      if ((to !== undefined && isCircular(graph, from, to)) !== circular) return false;
    }
    if (this.#via.length === 0 || to === undefined || !isCircular(graph, from, to)) return true;
    const circle = getCircle(graph, from, to);
    return this.#via.every((via) => via.matches(graph, circle, groups));
  }
}
