import type { CodeGraph } from "../graph/index.ts";
import { dependenciesOf } from "./dependency.ts";
import type { Dependency } from "./dependency.ts";
import { PlaceMatcher } from "./places.ts";
import type { DependencyType, Paths, ToPart, ViaPart } from "./rule.ts";

export function hasType(
  types: ReadonlySet<DependencyType>,
  wanted: readonly DependencyType[],
): boolean {
  return wanted.some((type) => types.has(type));
}

/** If a step has several kinds, the first of these counts: `require`, values, types. */
function typesOfStep(ways: readonly Dependency[]): ReadonlySet<DependencyType> {
  return ways.toSorted((a, b) => rank(a) - rank(b))[0]?.types ?? new Set();
}

function rank({ types, by }: Dependency): number {
  if (by !== undefined || types.has("require")) return 0;
  return types.has("type-only") ? 2 : 1;
}

/** Matches the files of a cycle with a rule. */
export class ViaMatcher {
  readonly #place: PlaceMatcher;
  readonly #part: ViaPart;
  readonly #all: boolean;

  constructor(part: ViaPart, all: boolean) {
    this.#place = new PlaceMatcher(part);
    this.#part = part;
    this.#all = all;
  }

  #holds(parts: readonly boolean[]): boolean {
    return this.#all ? parts.every(Boolean) : parts.some(Boolean);
  }

  /** `via` must match one file of the cycle, and `viaOnly` every file. */
  matches(graph: CodeGraph, circle: readonly number[], groups: readonly string[]): boolean {
    const paths = circle.map((file) => graph.files.path(file));
    const place = this.#place;
    if (place.hasPath && !this.#holds(paths.map((path) => place.namesIn(path, groups)))) {
      return false;
    }
    if (place.hasPathNot && !this.#holds(paths.map((path) => !place.excludes(path, groups)))) {
      return false;
    }
    return this.#matchesTypes(graph, circle);
  }

  #matchesTypes(graph: CodeGraph, circle: readonly number[]): boolean {
    const { dependencyTypes, dependencyTypesNot } = this.#part;
    if (dependencyTypes === undefined && dependencyTypesNot === undefined) return true;
    const types = circle.map((file, at) => {
      const next = circle[(at + 1) % circle.length];
      return typesOfStep(dependenciesOf(graph)[file]!.filter(({ to }) => to === next));
    });
    if (dependencyTypes !== undefined) {
      if (!this.#holds(types.map((each) => hasType(each, dependencyTypes)))) return false;
    }
    if (dependencyTypesNot === undefined) return true;
    return this.#holds(types.map((each) => !hasType(each, dependencyTypesNot)));
  }
}

/** The conditions of a rule about cycles, in any notation. `all` applies to every file. */
export function viaParts(to: ToPart): { readonly part: ViaPart; readonly all: boolean }[] {
  const { via, viaOnly, viaNot, viaSomeNot } = to;
  return [
    ...(via === undefined ? [] : [{ part: asPart(via), all: false }]),
    ...(viaOnly === undefined ? [] : [{ part: asPart(viaOnly), all: true }]),
    ...(viaNot === undefined ? [] : [{ part: { pathNot: viaNot }, all: true }]),
    ...(viaSomeNot === undefined ? [] : [{ part: { pathNot: viaSomeNot }, all: false }]),
  ];
}

function asPart(given: ViaPart | Paths): ViaPart {
  return typeof given === "string" || isList(given) ? { path: given } : given;
}

function isList(given: ViaPart | readonly string[]): given is readonly string[] {
  return Array.isArray(given);
}
