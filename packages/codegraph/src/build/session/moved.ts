import { exportedNames, surfaceChange } from "../symbols/index.ts";
import { namesThrough } from "./star-names.ts";
import type { FilesByPath } from "./star-names.ts";
import type { SymbolFile } from "./symbol-files.ts";

/** So few are looked for one by one; more are looked up. */
const FEW = 6;

/** What is another than before, so that links which rest on it have to be followed anew. */
export class Moved {
  readonly #before: FilesByPath;
  readonly #now: readonly SymbolFile[];
  readonly #files = new Set<number>();
  readonly #names = new Set<number>();
  #byPath: FilesByPath | undefined;

  /** `before` and `now` may have their files in different orders. */
  constructor(before: readonly SymbolFile[], now: readonly SymbolFile[]) {
    this.#before = new Map(before.map((file) => [file.path, file]));
    this.#now = now;
  }

  /**
   * A file whose specifiers lead elsewhere hands on something else. Nothing rests on one that is
   * new: who leads to it now has led elsewhere before.
   */
  lead(file: number): void {
    const { path } = this.#now[file]!;
    if (!this.#before.has(path)) return;
    this.#files.add(file);
    this.#byPath ??= new Map(this.#now.map((each) => [each.path, each]));
    for (const files of [this.#before, this.#byPath]) this.#add(namesThrough(files, path));
  }

  /** A file that says something else, or nothing before or now. */
  say(file: number): void {
    const { path, facts: now } = this.#now[file]!;
    if (!this.#before.has(path)) return;
    const before = this.#before.get(path)?.facts;
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

  touches({ rests, names }: SymbolFile): boolean {
    return hasAny(rests, this.#files) || hasAny(names, this.#names);
  }

  #add(names: Iterable<number>): void {
    for (const name of names) this.#names.add(name);
  }
}

function hasAny(list: Uint32Array | Int32Array, wanted: ReadonlySet<number>): boolean {
  if (wanted.size > FEW) return list.some((value) => wanted.has(value));
  for (const value of wanted) if (list.includes(value)) return true;
  return false;
}
