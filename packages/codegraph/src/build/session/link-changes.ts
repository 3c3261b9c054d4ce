import { exportedNames, hashOfText, surfaceChange } from "../symbols/index.ts";
import { namesThrough } from "./star-names.ts";
import type { FilesByPath } from "./star-names.ts";
import type { SymbolFile } from "./symbol-files.ts";

/** The name of a Python module, or of a package by its `__init__.py`. */
const MODULE = /([^/]+?)(?:\/__init__)?\.pyi?$/;

/** Up to this many names are kept in a list, which is faster to search; more are kept in a set. */
const FEW = 6;

/** The changed files and names. Links that depend on them are resolved again. */
export class LinkChanges {
  readonly #before: readonly SymbolFile[];
  readonly #now: readonly SymbolFile[];
  readonly #files = new Set<number>();
  readonly #names = new Set<number>();
  #pathsBefore: FilesByPath | undefined;
  #pathsNow: FilesByPath | undefined;

  /** The files of `before` and `now` may be in different orders. */
  constructor(before: readonly SymbolFile[], now: readonly SymbolFile[]) {
    this.#before = before;
    this.#now = now;
  }

  /**
   * Records a file whose specifiers resolve differently, because its re-exports change. A new file
   * is skipped: nothing depends on it yet.
   */
  lead(file: number): void {
    const { path } = this.#now[file]!;
    if (!this.#known(file)) return;
    this.#files.add(file);
    this.#pathsNow ??= byPath(this.#now);
    for (const files of [this.#allBefore(), this.#pathsNow]) this.#add(namesThrough(files, path));
  }

  /** Records a file whose content changed, or that was added or removed. */
  say(file: number): void {
    const { facts: now } = this.#now[file]!;
    const known = this.#known(file);
    if (!known) return this.#addModule(this.#now[file]!.path);
    const before = known.facts;
    if (!before || !now) {
      this.#files.add(file);
      for (const facts of [before, now]) if (facts) this.#add(exportedNames(facts));
      return;
    }
    const { isMoved, names, hasOtherStars } = surfaceChange(before, now);
    if (isMoved) this.#files.add(file);
    this.#add(names);
    if (hasOtherStars) this.lead(file);
  }

  /** A new Python module is a member of its package. */
  #addModule(path: string): void {
    const name = MODULE.exec(path)?.[1];
    if (name !== undefined) this.#names.add(hashOfText(name));
  }

  touches({ rests, names }: SymbolFile): boolean {
    return hasAny(rests, this.#files) || hasAny(names, this.#names);
  }

  /** The earlier version of a file. After an edit it has the same number. */
  #known(file: number): SymbolFile | undefined {
    const { path } = this.#now[file]!;
    const same = this.#before[file];
    return same?.path === path ? same : this.#allBefore().get(path);
  }

  #allBefore(): FilesByPath {
    return (this.#pathsBefore ??= byPath(this.#before));
  }

  #add(names: Iterable<number>): void {
    for (const name of names) this.#names.add(name);
  }
}

function byPath(files: readonly SymbolFile[]): FilesByPath {
  return new Map(files.map((file) => [file.path, file]));
}

function hasAny(list: Uint32Array | Int32Array, wanted: ReadonlySet<number>): boolean {
  if (wanted.size > FEW) return list.some((value) => wanted.has(value));
  for (const value of wanted) if (list.includes(value)) return true;
  return false;
}
