import { compileScope, escapePattern } from "../patterns/index.ts";
import type { Pattern } from "../patterns/index.ts";
import type { Paths, Place } from "./rule.ts";

const MAX_KEPT = 2_000;
const PLACEHOLDER = /\$(\d)/gu;

export function listedPaths(paths: Paths | undefined): readonly string[] {
  if (paths === undefined) return [];
  return typeof paths === "string" ? [paths] : paths;
}

/** Matches files by patterns. `$1` is replaced by another pattern's capture. */
export class PlaceMatcher {
  readonly #paths: readonly string[];
  readonly #pathsNot: readonly string[];
  readonly #compiled = new Map<string, Pattern>();

  constructor({ path, pathNot }: Place = {}) {
    this.#paths = listedPaths(path);
    this.#pathsNot = listedPaths(pathNot);
  }

  /** Throws for an invalid pattern. */
  check(): void {
    for (const text of [...this.#paths, ...this.#pathsNot]) this.#pattern(text, []);
  }

  /** Whether there are no conditions on paths. */
  get isOpen(): boolean {
    return this.#paths.length === 0 && this.#pathsNot.length === 0;
  }

  matches(path: string, groups: readonly string[] = []): boolean {
    const isNamed = this.#paths.length === 0 || this.#some(this.#paths, path, groups);
    return isNamed && !this.#some(this.#pathsNot, path, groups);
  }

  /** Whether the path matches `path`. */
  namesIn(path: string, groups: readonly string[]): boolean {
    return this.#some(this.#paths, path, groups);
  }

  excludes(path: string, groups: readonly string[]): boolean {
    return this.#some(this.#pathsNot, path, groups);
  }

  get hasPath(): boolean {
    return this.#paths.length > 0;
  }

  get hasPathNot(): boolean {
    return this.#pathsNot.length > 0;
  }

  /** The captures of the first matching pattern. */
  groups(path: string): readonly string[] {
    for (const text of this.#paths) {
      const captured = this.#pattern(text, []).captures(path);
      if (captured !== undefined) return captured;
    }
    return [];
  }

  #some(texts: readonly string[], path: string, groups: readonly string[]): boolean {
    return texts.some((text) => this.#pattern(text, groups).matches(path));
  }

  #pattern(text: string, groups: readonly string[]): Pattern {
    const filled = groups.length > 0 && text.includes("$") ? fill(text, groups) : text;
    const known = this.#compiled.get(filled);
    if (known !== undefined) return known;
    const pattern = compileScope(filled);
    if (this.#compiled.size >= MAX_KEPT) this.#compiled.clear();
    this.#compiled.set(filled, pattern);
    return pattern;
  }
}

function fill(text: string, groups: readonly string[]): string {
  return text.replaceAll(PLACEHOLDER, (whole, digit: string) => {
    const group = groups[Number(digit) - 1];
    return group === undefined ? whole : escapePattern(group);
  });
}
