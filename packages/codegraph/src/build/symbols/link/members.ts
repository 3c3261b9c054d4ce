import { OP, SYMBOL_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Found } from "./checker.ts";
import { argumentsEnv } from "./instances.ts";
import { namedExport } from "./names.ts";
import { bind, KIND, SELF, Type, makeUnion, visitKey } from "./type.ts";
import type { Env } from "./type.ts";

const MAX_DEPTH = 24;
const NOTHING: readonly Found[] = [];

/** The members with a name; several if the value has a union type. */
export function findMembers(c: Checker, type: Type, name: string): readonly Found[] {
  const search = new Search(c, name);
  search.in(type, type, 0, false);
  return search.found.length === 0 ? NOTHING : search.found;
}

class Search {
  readonly found: Found[] = [];
  readonly #c: Checker;
  readonly #name: string;
  /** The types without the member, so that each is searched once. */
  readonly #without = new Set<unknown>();

  constructor(c: Checker, name: string) {
    this.#c = c;
    this.#name = name;
  }

  /** `self` is the original type, which is `this` in inherited members. */
  in(type: Type, self: Type, depth: number, inherited: boolean): void {
    const key = visitKey(type);
    if (depth > MAX_DEPTH || this.#without.has(key)) return;
    const before = this.found.length;
    this.#without.add(key);
    this.#search(type, self, depth, inherited);
    if (this.found.length > before) this.#without.delete(key);
  }

  #search(type: Type, self: Type, depth: number, inherited: boolean): void {
    switch (type.kind) {
      case KIND.instance:
        return this.#inInstance(type, self, depth, inherited);
      case KIND.value:
        return this.#inValue(type, depth, inherited);
      case KIND.func:
        if (type.symbol >= 0) this.#inMerged(type.file, type.symbol, depth);
        return;
      case KIND.object:
        return this.#inObject(type, depth);
      case KIND.module:
        return this.#inModule(type);
      case KIND.union:
        for (const part of type.args) if (part) this.in(part, part, depth + 1, inherited);
        return;
      case KIND.tuple:
        return this.#inTuple(type, depth);
      case KIND.parameter: {
        const constraint = this.#c.evaluate(type.file, this.#c.file(type.file).code[type.id + 1]!);
        if (constraint) this.in(constraint, constraint, depth + 1, inherited);
        return;
      }
      default:
    }
  }

  #inInstance(type: Type, self: Type, depth: number, inherited: boolean): void {
    const { file, id } = type;
    this.#c.program.consult(file);
    const linked = this.#c.file(file);
    const env = memberEnv(this.#c, type, self);
    const own = linked.member(id, this.#name, false);
    if (own !== undefined && linked.kind(own) !== "constructor") {
      this.found.push({ file, symbol: own, node: 0, env, inherited });
      return;
    }
    const before = this.found.length;
    // A method in another file of the package hides one of an embedded type.
    this.#inPackage(file, id);
    if (this.found.length > before) return;
    for (const base of heritage(this.#c, file, id)) {
      const parent = this.#c.program.offering(file, () => this.#c.evaluate(file, base, env));
      if (parent) this.in(parent, self, depth + 1, true);
      if (this.found.length > before) return;
    }
  }

  /** Finds methods in other files of the type's package. */
  #inPackage(file: number, type: number): void {
    if (!this.#c.program.siblings(file)) return;
    const linked = this.#c.file(file);
    const owner = linked.facts.text(linked.symbol(type, SYMBOL.name));
    const found = namedExport(this.#c, file, `${owner}.${this.#name}`, false);
    if (found) this.found.push(found);
  }

  #inValue({ file, id }: Type, depth: number, inherited: boolean): void {
    this.#c.program.consult(file);
    const linked = this.#c.file(file);
    const isApart = (linked.symbol(id, SYMBOL.flags) & SYMBOL_FLAG.oneSpace) === 0;
    const own = linked.member(id, this.#name, isApart && linked.kind(id) === "class");
    if (own === undefined) this.#inMerged(file, id, depth);
    else this.found.push({ file, symbol: own, node: 0, env: undefined, inherited });
  }

  /** Finds inherited static members, and those of a namespace with the same name. */
  #inMerged(file: number, symbol: number, depth: number): void {
    const before = this.found.length;
    const { code } = this.#c.file(file);
    for (const base of heritage(this.#c, file, symbol)) {
      if (code[base] !== OP.instance) continue;
      const name = code[base + 1]!;
      const parent = this.#c.program.offering(file, () => this.#c.evaluate(file, name));
      if (parent) this.in(parent, parent, depth + 1, true);
      if (this.found.length > before) return;
    }
  }

  /** The last of equal names wins. Spreads come after explicit members. */
  #inObject({ file, id, env }: Type, depth: number): void {
    const { code, facts } = this.#c.file(file);
    const count = code[id + 1]!;
    for (let place = count - 1; place >= 0; place--) {
      if (facts.text(code[id + 2 + 2 * place]!) !== this.#name) continue;
      const node = code[id + 3 + 2 * place]!;
      const symbol = node !== 0 && code[node] === OP.symbol ? code[node + 1]! : -1;
      this.found.push({ file, symbol, node, env, inherited: false });
      return;
    }
    const others = id + 2 + 2 * count;
    const before = this.found.length;
    for (let place = code[others]!; place > 0 && this.found.length === before; place--) {
      const spread = this.#c.evaluate(file, code[others + place]!, env);
      if (spread && spread.kind !== KIND.func) this.in(spread, spread, depth + 1, false);
    }
  }

  #inModule({ file }: Type): void {
    const found = namedExport(this.#c, file, this.#name, false);
    if (found) this.found.push(found);
  }

  /** Finds members of a tuple among those of a list whose elements have any of the tuple's types. */
  #inTuple({ args }: Type, depth: number): void {
    const list = namedExport(this.#c, this.#c.program.builtin, "Array", true);
    if (!list) return;
    const array = new Type(KIND.instance, list.file, list.symbol, [makeUnion(args)]);
    this.in(array, array, depth + 1, false);
  }
}

/** The bindings of `this` and type parameters, if they are known. */
function memberEnv(c: Checker, type: Type, self: Type): Env | undefined {
  if (self === type && type.args.every((argument) => argument?.kind === KIND.parameter)) {
    return undefined;
  }
  return argumentsEnv(c, type.file, type.id, type.args, bind(undefined, SELF, self));
}

function heritage(c: Checker, file: number, symbol: number): Int32Array {
  const { code } = c.file(file);
  const list = c.file(file).symbol(symbol, SYMBOL.heritage);
  return list === 0 ? code.subarray(0, 0) : code.subarray(list + 2, list + 2 + code[list + 1]!);
}
