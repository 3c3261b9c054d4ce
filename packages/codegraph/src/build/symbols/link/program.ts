import type { Language } from "../../../graph/index.ts";
import { hashOfText } from "../facts/hashes.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { builtins } from "./builtins.ts";
import { LinkedFile } from "./linked-file.ts";

/** The files to link, with their resolved specifiers. */
export interface LinkInput {
  readonly count: number;
  /**
   * The facts; undefined for a file without symbols, which was not parsed or is in another
   * language.
   */
  facts(file: number): FileSymbolData | undefined;
  /** The file for a specifier, if it is in the tree. */
  target(file: number, specifier: string): number | undefined;
  /** Whether a specifier is certainly outside of the tree. */
  isForeign?(file: number, specifier: string): boolean;
  /** Whether the default of a file is the file itself, and no other file can export it. */
  hasOwnDefault?(file: number): boolean;
  /** The language of a file. */
  language?(file: number): Language;
  /** The files of the same package, whose names can be used without an import. */
  siblings?(file: number): readonly number[] | undefined;
  /** The module with this name in a Python package. */
  submodule?(file: number, name: string): number | undefined;
  /** The export that a framework provides under a name without an import. */
  implicit?(file: number, name: string): ImplicitName | undefined;
}

/** An export by its file and name. */
export interface ImplicitName {
  readonly file: number;
  readonly name: string;
}

/** The files and names that the links of a file depend on. */
export interface Reliance {
  /** Files whose content the links depend on, except their links. */
  readonly files: Uint32Array;
  /** The hashes of names that were searched in exports. */
  readonly names: Int32Array;
}

/** The files and names that were used for one result. */
class Consulted {
  readonly files = new Set<number>();
  readonly names = new Set<number>();
}

/** All files, decoded on demand. The last one contains the built-in types. */
export class LinkProgram {
  readonly count: number;
  readonly builtin: number;
  readonly #input: LinkInput;
  readonly #files: (LinkedFile | null | undefined)[];
  /** The files that were consulted for a file's uses, and for its exports. */
  readonly #uses = new Map<number, Consulted>();
  readonly #offers = new Map<number, Consulted>();
  readonly #hashes = new Map<string, number>();
  #consulting: Consulted | undefined;
  /** The search in which each file was last visited. */
  readonly #seen: Uint32Array;
  #stamp = 0;

  constructor(input: LinkInput) {
    this.count = input.count;
    this.builtin = input.count;
    this.#input = input;
    this.#files = Array.from({ length: input.count + 1 });
    this.#seen = new Uint32Array(input.count + 1);
  }

  file(file: number): LinkedFile | undefined {
    const known = this.#files[file];
    if (known !== undefined) return known ?? undefined;
    const facts = file === this.builtin ? builtins() : this.#input.facts(file);
    const opened = facts ? new LinkedFile(facts) : null;
    this.#files[file] = opened;
    return opened ?? undefined;
  }

  target(file: number, specifier: string): number | undefined {
    return file === this.builtin ? undefined : this.#input.target(file, specifier);
  }

  isForeign(file: number, specifier: string): boolean {
    return file === this.builtin || this.#input.isForeign?.(file, specifier) === true;
  }

  hasOwnDefault(file: number): boolean {
    this.consult(file);
    return this.#input.hasOwnDefault?.(file) === true;
  }

  language(file: number): Language {
    return this.#input.language?.(file) ?? "typescript";
  }

  siblings(file: number): readonly number[] | undefined {
    return file === this.builtin ? undefined : this.#input.siblings?.(file);
  }

  submodule(file: number, name: string): number | undefined {
    return file === this.builtin ? undefined : this.#input.submodule?.(file, name);
  }

  implicit(file: number, name: string): ImplicitName | undefined {
    return file === this.builtin ? undefined : this.#input.implicit?.(file, name);
  }

  /** Records everything that is consulted inside as a dependency of the uses of `file`. */
  using<Result>(file: number, work: () => Result): Result {
    const outer = this.#enter(this.#uses, file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** Records everything that is consulted inside as a dependency of the exports of `file`. */
  offering<Result>(file: number, work: () => Result): Result {
    const outer = this.enterOffers(file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** Like `offering`, but without a callback. Pass the result to `leave` at the end. */
  enterOffers(file: number): Consulted | undefined {
    this.consult(file);
    return this.#enter(this.#offers, file);
  }

  leave(outer: Consulted | undefined): void {
    this.#consulting = outer;
  }

  #enter(known: Map<number, Consulted>, file: number): Consulted | undefined {
    const outer = this.#consulting;
    let inner = known.get(file);
    if (!inner) known.set(file, (inner = new Consulted()));
    this.#consulting = inner;
    return outer;
  }

  consult(file: number): void {
    this.#consulting?.files.add(file);
  }

  /** Records that a name was looked up in any file. */
  lookUp(name: string): void {
    if (!this.#consulting) return;
    let hash = this.#hashes.get(name);
    if (hash === undefined) this.#hashes.set(name, (hash = hashOfText(name)));
    this.#consulting.names.add(hash);
  }

  /** All dependencies of a file's links, including those through exports of other files. */
  dependsOn(file: number): Reliance {
    const seen = this.#seen;
    const stamp = ++this.#stamp;
    seen[file] = seen[this.builtin] = stamp;
    const found: number[] = [];
    const names = new Set<number>();
    const take = (consulted: Consulted | undefined): void => {
      if (!consulted) return;
      for (const name of consulted.names) names.add(name);
      for (const other of consulted.files) {
        if (seen[other] === stamp) continue;
        seen[other] = stamp;
        found.push(other);
      }
    };
    take(this.#uses.get(file));
    take(this.#offers.get(file));
    for (const next of found) take(this.#offers.get(next));
    return { files: Uint32Array.from(found), names: Int32Array.from(names) };
  }
}
