import type { SymbolFacts } from "../facts/symbol-facts.ts";
import { builtins } from "./builtins.ts";
import { LinkedFile } from "./linked-file.ts";

/** The files whose symbols are linked, and where their specifiers lead. */
export interface LinkInput {
  readonly count: number;
  /** Nothing for a file without symbols: not parsed, or of another language. */
  facts(file: number): SymbolFacts | undefined;
  /** The file that a specifier leads to, if it is one of these. */
  target(file: number, specifier: string): number | undefined;
  /** The files of the same package, whose names a file uses without an import. */
  siblings?(file: number): readonly number[] | undefined;
}

/** All files, opened when first asked for; behind the last stands what every program knows. */
export class LinkProgram {
  readonly count: number;
  readonly builtin: number;
  readonly #input: LinkInput;
  readonly #files: (LinkedFile | null | undefined)[];
  /** Which other files were consulted for what a file uses, and for what it offers. */
  readonly #uses = new Map<number, Set<number>>();
  readonly #offers = new Map<number, Set<number>>();
  #consulting: Set<number> | undefined;
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

  siblings(file: number): readonly number[] | undefined {
    return file === this.builtin ? undefined : this.#input.siblings?.(file);
  }

  /** What is consulted inside belongs to what `file` uses. */
  using<Result>(file: number, work: () => Result): Result {
    const outer = this.#enter(this.#uses, file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** What is consulted inside belongs to what `file` offers, whoever asked for it. */
  offering<Result>(file: number, work: () => Result): Result {
    const outer = this.enterOffers(file);
    const result = work();
    this.leave(outer);
    return result;
  }

  /** The same without a function around the work; `leave` takes what this gives. */
  enterOffers(file: number): Set<number> | undefined {
    this.#consulting?.add(file);
    return this.#enter(this.#offers, file);
  }

  leave(outer: Set<number> | undefined): void {
    this.#consulting = outer;
  }

  #enter(sets: Map<number, Set<number>>, file: number): Set<number> | undefined {
    const outer = this.#consulting;
    let inner = sets.get(file);
    if (!inner) sets.set(file, (inner = new Set()));
    this.#consulting = inner;
    return outer;
  }

  consult(file: number): void {
    this.#consulting?.add(file);
  }

  /** Every file whose surface the links of a file rest on, itself left out. */
  dependsOn(file: number): Uint32Array {
    const seen = this.#seen;
    const stamp = ++this.#stamp;
    seen[file] = seen[this.builtin] = stamp;
    const found: number[] = [];
    const add = (other: number): void => {
      if (seen[other] === stamp) return;
      seen[other] = stamp;
      found.push(other);
    };
    this.#uses.get(file)?.forEach(add);
    this.#offers.get(file)?.forEach(add);
    for (const next of found) this.#offers.get(next)?.forEach(add);
    return new Uint32Array(found);
  }
}
