import { ANY_NAME, UNRESOLVED_KINDS } from "../../../graph/index.ts";
import type { Language, UnresolvedKind } from "../../../graph/index.ts";
import { GLOBAL_OBJECTS, isKnownGlobal } from "../extract/known-globals.ts";
import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import { isBuiltinMember } from "./builtin-members.ts";
import type { Checker } from "./checker.ts";
import { findElement } from "./instances.ts";
import { isAmbiguous, resolveName } from "./names.ts";
import { KIND, unionParts } from "./type.ts";
import type { Type } from "./type.ts";

const KINDS = Object.fromEntries(
  UNRESOLVED_KINDS.map((kind, number) => [kind, number]),
) as Readonly<Record<UnresolvedKind, number>>;

const MAX_DEPTH = 16;
/** The literal that is null or undefined. */
const NULL = 3;

/** Kinds of types that a file declares. The others belong to no file. */
const NAMED_KINDS: ReadonlySet<number> = new Set([
  KIND.module,
  KIND.object,
  KIND.instance,
  KIND.value,
]);
const WITH_MEMBERS: ReadonlySet<string> = new Set(["class", "interface", "type", "namespace"]);

/** Files that bundlers give as values, even if they are not in the tree. */
const NO_CODE =
  /\.(?:css|scss|sass|less|svg|png|jpe?g|gif|webp|avif|ico|json|wasm|txt|html)(?:\?.*)?$/u;

/** Members of every function. */
const OF_FUNCTIONS = new Set(["bind", "call", "apply", "length", "name", "prototype", "toString"]);

/** Collects the unresolved names of a file that may refer to something in the tree. */
export class UnresolvedUses {
  readonly #c: Checker;
  readonly #file: number;
  readonly #found = new Set<number>();
  /** Whether each node comes from a package. Nodes can be reached in very many ways. */
  readonly #foreign = new Map<number, boolean>();
  readonly #language: Language;

  constructor(c: Checker, file: number) {
    this.#c = c;
    this.#file = file;
    this.#language = c.program.language(file);
    const { unresolved } = c.file(file).facts.tables;
    for (let row = 0; row < unresolved.length; row += 2) {
      const isOffered = unresolved[row + 1] === KINDS.value && this.#isOffered(unresolved[row]!);
      if (!isOffered) this.#note(unresolved[row]!, unresolved[row + 1]!);
    }
    this.#addHeirs();
  }

  /** Adds what is unresolved about a use. Even a resolved use may have further targets. */
  add(node: number, isFollowed: boolean): void {
    const { code } = this.#c.file(this.#file);
    switch (code[node]) {
      case OP.imported:
        if (!isFollowed && !this.#isForeign(node) && !this.#isOwnDefault(node)) {
          this.#note(code[node + 2]!, KINDS.import);
        } else if (isFollowed && isAmbiguous(this.#c, this.#file, node)) {
          this.#note(code[node + 2]!, KINDS.value);
        }
        return;
      case OP.member:
        if (this.#isComputed(node)) {
          this.#addComputed(code[node + 1]!, code[node + 2]!);
        } else if (this.#mayLeadFurther(node, isFollowed)) {
          this.#note(code[node + 2]!, KINDS.member);
        }
        return;
      case OP.narrowed:
        return this.add(code[node + 1]!, isFollowed);
      default:
    }
  }

  finish(): Int32Array<ArrayBuffer> {
    const packed = new Int32Array(this.#found.size * 2);
    let place = 0;
    for (const key of this.#found) {
      packed[place++] = Math.floor(key / UNRESOLVED_KINDS.length);
      packed[place++] = key % UNRESOLVED_KINDS.length;
    }
    return packed;
  }

  /** Whether a framework provides an undeclared name. */
  #isOffered(name: number): boolean {
    const { facts } = this.#c.file(this.#file);
    return this.#c.program.implicit(this.#file, facts.text(name)) !== undefined;
  }

  #note(name: number, kind: number): void {
    this.#found.add(name * UNRESOLVED_KINDS.length + kind);
  }

  /** Whether an import takes the default of a component or a picture of the tree. */
  #isOwnDefault(node: number): boolean {
    const { code, facts } = this.#c.file(this.#file);
    if (facts.text(code[node + 2]!) !== "default") return false;
    const specifier = facts.text(code[node + 1]!);
    if (NO_CODE.test(specifier)) return true;
    const target = this.#c.program.target(this.#file, specifier);
    return target !== undefined && this.#c.program.hasOwnDefault(target);
  }

  #isComputed(node: number): boolean {
    const { code, facts } = this.#c.file(this.#file);
    return facts.text(code[node + 2]!) === ANY_NAME;
  }

  /** Notes a computed member name, which may refer to any member of its owner. */
  #addComputed(owner: number, name: number): void {
    const type = this.#c.evaluate(this.#file, owner);
    for (const part of type ? unionParts(type) : []) {
      if (!part || !this.#hasNames(part)) continue;
      this.#note(name, KINDS.dynamic);
      if (this.#hasTopNames(part)) this.#note(name, KINDS.dynamicModule);
    }
  }

  #hasNames(type: Type): boolean {
    if (!NAMED_KINDS.has(type.kind) || type.file === this.#c.program.builtin) return false;
    if (type.kind === KIND.module) return true;
    if (type.kind === KIND.object) return this.#symbolsIn(type).length > 0;
    const linked = this.#c.file(type.file);
    // A type with an index signature is a table of values, so its member names are not
    // declarations.
    return WITH_MEMBERS.has(linked.kind(type.id)) && !findElement(this.#c, type, -1);
  }

  /**
   * Whether a value has top-level declarations of a file as members: as a module, or as an object
   * with their names. The members of an object type do not count.
   */
  #hasTopNames(type: Type): boolean {
    if (type.kind === KIND.module) return true;
    if (type.kind !== KIND.object) return false;
    const linked = this.#c.file(type.file);
    return this.#symbolsIn(type).some((symbol) => linked.symbol(symbol, SYMBOL.parent) === 0);
  }

  /** The declarations that an object has as members. */
  #symbolsIn({ file, id }: Type): number[] {
    const { code } = this.#c.file(file);
    const nodes = Array.from({ length: code[id + 1]! }, (_, place) => code[id + 3 + 2 * place]!);
    return nodes.flatMap((node) => (code[node] === OP.symbol ? code[node + 1]! : []));
  }

  #mayLeadFurther(node: number, isFollowed: boolean): boolean {
    const { code, facts } = this.#c.file(this.#file);
    const owner = code[node + 1]!;
    const type = this.#c.evaluate(this.#file, owner);
    if (!type && this.#isForeign(owner)) {
      if (code[owner] !== OP.module) this.#note(code[node + 2]!, KINDS.foreign);
      return false;
    }
    if (!type) return !this.#isTakenFrom(node, owner);
    if (type.isOpen) return true;
    if (isFollowed) return false;
    const name = facts.text(code[node + 2]!);
    return unionParts(type).some((part) => part === undefined || !this.#isBuiltin(part, name));
  }

  /** An unknown member of a module counts like an unresolved import from it. */
  #isTakenFrom(node: number, owner: number): boolean {
    const { code } = this.#c.file(this.#file);
    const isMissing =
      code[owner] === OP.module ||
      (code[owner] === OP.imported && !resolveName(this.#c, this.#file, owner, false));
    if (isMissing || this.#isOfModule(owner)) this.#note(code[node + 2]!, KINDS.import);
    return isMissing;
  }

  /** Whether a node may be a module inside a Python package: `package.folder.name`. */
  #isOfModule(node: number): boolean {
    if (this.#language !== "python") return false;
    const { code } = this.#c.file(this.#file);
    let owner = node;
    while (code[owner] === OP.member) owner = code[owner + 1]!;
    if (owner === node) return false;
    return code[owner] === OP.module || this.#c.evaluate(this.#file, owner)?.kind === KIND.module;
  }

  /**
   * Whether a member belongs to a built-in type. A built-in type without such a member shows that
   * the value has another type than it seems.
   */
  #isBuiltin(type: Type, name: string): boolean {
    if (type.kind === KIND.func) return OF_FUNCTIONS.has(name);
    if (type.kind === KIND.literal) {
      return type.id !== NULL && isBuiltinMember(this.#language, "literal", name);
    }
    if (type.kind === KIND.tuple) return isBuiltinMember(this.#language, "Array", name);
    if (type.kind !== KIND.instance || type.file !== this.#c.program.builtin) return false;
    const { facts } = this.#c.file(type.file);
    const owner = facts.text(this.#c.file(type.file).symbol(type.id, SYMBOL.name));
    return isBuiltinMember(this.#language, owner, name);
  }

  /** Whether a node comes from a package, directly or through another package. */
  #isForeign(node: number, depth = 0): boolean {
    if (node === 0 || depth > MAX_DEPTH) return false;
    const known = this.#foreign.get(node);
    if (known !== undefined) return known;
    // A value that is made of itself is not certain.
    this.#foreign.set(node, false);
    const isForeign = this.#comesFromPackage(node, depth);
    this.#foreign.set(node, isForeign);
    return isForeign;
  }

  #comesFromPackage(node: number, depth: number): boolean {
    const { code, facts } = this.#c.file(this.#file);
    switch (code[node]) {
      case OP.module:
      case OP.imported:
        return this.#c.program.isForeign(this.#file, facts.text(code[node + 1]!));
      case OP.local:
      case OP.member:
      case OP.element:
        return this.#isForeign(code[node + 1]!, depth + 1);
      case OP.narrowed: {
        const test = code[node + 2]!;
        return this.#isForeign(code[test] === OP.guarded ? code[node + 1]! : test, depth + 1);
      }
      case OP.union:
        return this.#operands(node + 1).every((part) => this.#isForeign(part, depth + 1));
      case OP.instance:
        return !this.#hasArguments(node, depth) && this.#isForeign(code[node + 1]!, depth + 1);
      case OP.call:
        // In Go, the result of a package's function is assumed to have a type of that package,
        // because generics are rare.
        return this.#language === "go" && this.#isForeign(code[node + 1]!, depth + 1);
      case OP.global:
        return isKnownOwner(facts.text(code[node + 1]!));
      default:
        return false;
    }
  }

  /** Whether a type has type arguments. A package's `Box<A>` can contain an `A` of the tree. */
  #hasArguments(node: number, depth: number): boolean {
    const { code } = this.#c.file(this.#file);
    return this.#operands(node + 2).some(
      (type) => type !== 0 && code[type] !== OP.literal && !this.#isForeign(type, depth + 1),
    );
  }

  /** Reads a list of nodes. Its first number says how many nodes follow. */
  #operands(start: number): Int32Array {
    const { code } = this.#c.file(this.#file);
    return code.subarray(start + 1, start + 1 + code[start]!);
  }

  /**
   * Records that members of a class with an unknown parent may be called through the parent. It is
   * unknown which ones.
   */
  #addHeirs(): void {
    const linked = this.#c.file(this.#file);
    const basesByClass = new Map<number, Type[] | undefined>();
    for (let symbol = 1; symbol < linked.facts.count("symbols"); symbol++) {
      const owner = linked.symbol(symbol, SYMBOL.parent);
      const bases = basesByClass.get(owner);
      const name = linked.symbol(symbol, SYMBOL.name);
      const isOpen = basesByClass.has(owner) && (!bases || this.#isOverriding(bases, name));
      if (isOpen) this.#note(name, KINDS.member);
      if (linked.symbol(symbol, SYMBOL.heritage) !== 0) {
        basesByClass.set(symbol, this.#languageBases(symbol));
      }
    }
  }

  /** Whether a member overrides a built-in one, such as `toString` of an error. */
  #isOverriding(bases: readonly Type[], name: number): boolean {
    const text = this.#c.file(this.#file).facts.text(name);
    return bases.some((base) => this.#c.findMembers(base, text).length > 0);
  }

  /** The built-in parents of a class; undefined if one of its parents is unknown. */
  #languageBases(symbol: number): Type[] | undefined {
    const linked = this.#c.file(this.#file);
    const list = linked.symbol(symbol, SYMBOL.heritage);
    const found: Type[] = [];
    for (let place = 0; place < linked.code[list + 1]!; place++) {
      const base = linked.code[list + 2 + place]!;
      const name = linked.code[base] === OP.instance ? linked.code[base + 1]! : base;
      if (this.#isForeign(name)) {
        this.#note(linked.symbol(symbol, SYMBOL.name), KINDS.heir);
        continue;
      }
      this.#c.begin();
      const type = this.#c.evaluate(this.#file, base);
      if (!type || type.isOpen) return undefined;
      if (type.file === this.#c.program.builtin) found.push(type);
    }
    return found;
  }
}

function isKnownOwner(name: string): boolean {
  return isKnownGlobal(name) && !GLOBAL_OBJECTS.has(name);
}
