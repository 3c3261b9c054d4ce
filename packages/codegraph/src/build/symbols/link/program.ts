import { hashOfText } from "../facts/hashes.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { builtins } from "./builtins.ts";
import { LinkedFile } from "./linked-file.ts";

/** The files whose symbols are linked, and where their specifiers lead. */
export interface LinkInput {
  readonly count: number;
  /** Nothing for a file without symbols: not parsed, or of another language. */
  facts(file: number): FileSymbolData | undefined;
  /** The file that a specifier leads to, if it is one of these. */
  target(file: number, specifier: string): number | undefined;
  /** Whether a specifier leads to what is certainly no part of the tree. */
  isForeign?(file: number, specifier: string): boolean;
  /** Whether what functions of other packages give is of those packages, as without generics. */
  isPlain?(file: number): boolean;
  /** The files of the same package, whose names a file uses without an import. */
  siblings?(file: number): readonly number[] | undefined;
  /** The export that a framework offers under a name, which a file uses without an import. */
  implicit?(file: number, name: string): ImplicitName | undefined;
}

/** An export by its file and name. */
export interface ImplicitName {
  readonly file: number;
  readonly name: string;
}

/** The dependencies of links. */
export interface Reliance {
  /** Files by what is in them, that of the links left out. */
  readonly files: Uint32Array;
  /** The hashes of names that were looked up among what files export. */
  readonly names: Int32Array;
}

/** The files and names that were consulted for one result. */
class Consulted {
  readonly files = new Set<number>();
  readonly names = new Set<number>();
}

/** All files, opened when first asked for; behind the last stands what every program knows. */
export class LinkProgram {
  readonly count: number;
  readonly builtin: number;
  readonly #input: LinkInput;
  readonly #files: (LinkedFile | null | undefined)[];
  /** Consulted for a file's uses, and for its exports. */
  readonly #uses = new Map<number, Consulted>();
  readonly #offers = new Map<number, Consulted>();
  readonly #hashes = new Map<string, number>();
  #consulting: Consulted | undefined;
  /** Which files were met in the search of this stamp. */
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

  isPlain(file: number): boolean {
    return this.#input.isPlain?.(file) === true;
  }

  siblings(file: number): readonly number[] | undefined {
    return file === this.builtin ? undefined : this.#input.siblings?.(file);
  }

  implicit(file: number, name: string): ImplicitName | undefined {
    return file === this.builtin ? undefined : this.#input.implicit?.(file, name);
  }

  /** Everything consulted inside counts as used by `file`. */
  using<Result>(file: number, work: () => Result): Result {
    const outer = this.#enter(this.#uses, file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** Everything consulted inside counts for the exports of `file`, for every caller. */
  offering<Result>(file: number, work: () => Result): Result {
    const outer = this.enterOffers(file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** The same without a function around the work; `leave` takes what this gives. */
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

  /** A name is looked up, in whatever files that leads to. */
  lookUp(name: string): void {
    if (!this.#consulting) return;
    let hash = this.#hashes.get(name);
    if (hash === undefined) this.#hashes.set(name, (hash = hashOfText(name)));
    this.#consulting.names.add(hash);
  }

  /** All that the links of a file rest on, also through what other files offer. */
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
