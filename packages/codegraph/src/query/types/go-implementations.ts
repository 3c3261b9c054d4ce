import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { goAlias, goReceiver, goSignature, goTypeParameters, mayBeSame } from "./go-signatures.ts";
import type { GoSignature } from "./go-signatures.ts";
import { unresolvedIn } from "../completeness/unresolved-uses.ts";
import { folderName } from "../names/names.ts";

/** The methods of a type by name, including those of embedded types. */
type Methods = ReadonlyMap<string, number>;

/** The relation between methods and the interface methods that they implement. */
export interface Implementations {
  /** The interface methods that each method implements. */
  readonly above: ReadonlyMap<number, readonly number[]>;
  /** The methods that implement each interface method. */
  readonly below: ReadonlyMap<number, readonly number[]>;
  /** The types that implement each interface. */
  readonly types: ReadonlyMap<number, readonly number[]>;
  /** The interfaces that each type implements. */
  readonly interfaces: ReadonlyMap<number, readonly number[]>;
  /**
   * Methods and types that may be related as well, because a type embeds one of a package, whose
   * methods are unknown.
   */
  readonly possible: ReadonlySet<number>;
}

const MAX_EMBEDDED = 1_000;
const EXPORTED = /^\p{Lu}/u;

/** A Go type implements every interface whose methods it has. */
export const goImplementations: (graph: CodeGraph) => Implementations = perGraph((graph) => {
  const found = new Relations();
  const types = new TypesOfGo(graph);
  for (const face of types.interfaces) {
    const wanted = types.methodsOf(face);
    for (const type of types.having(wanted)) {
      const own = types.methodsOf(type);
      if (!types.hasAllMethods(wanted, own)) continue;
      found.add(found.types, face, type);
      found.add(found.interfaces, type, face);
      for (const [name, method] of wanted) found.relate(method, own.get(name)!);
    }
    for (const type of types.open) addPossible(found.possible, types, face, type);
  }
  return found;
});

/** Adds the methods that a type has of an interface, if a package may provide the others. */
function addPossible(to: Set<number>, types: TypesOfGo, face: number, type: number): void {
  const [wanted, own] = [types.methodsOf(face), types.methodsOf(type)];
  const present = new Map([...wanted].filter(([name]) => own.has(name)));
  const missing = [...wanted.keys()].filter((name) => !own.has(name));
  // A package cannot provide a method whose name is not exported.
  if (missing.length === 0 || missing.some((name) => !EXPORTED.test(name))) return;
  if (!types.hasAllMethods(present, own)) return;
  to.add(face).add(type);
  for (const [name, method] of present) to.add(method).add(own.get(name)!);
}

class Relations implements Implementations {
  readonly above = new Map<number, number[]>();
  readonly below = new Map<number, number[]>();
  readonly types = new Map<number, number[]>();
  readonly interfaces = new Map<number, number[]>();
  readonly possible = new Set<number>();

  relate(above: number, below: number): void {
    if (above === below) return;
    this.add(this.above, below, above);
    this.add(this.below, above, below);
  }

  add(to: Map<number, number[]>, key: number, value: number): void {
    const known = to.get(key);
    if (!known) to.set(key, [value]);
    else if (!known.includes(value)) known.push(value);
  }
}

/** The types of all Go files, with methods from any file of their package. */
class TypesOfGo {
  readonly interfaces: number[] = [];
  /** Types that embed a type of a package, directly or through another type. */
  readonly open: number[] = [];
  readonly #graph: CodeGraph;
  readonly #own = new Map<number, Map<string, number>>();
  readonly #all = new Map<number, Methods>();
  /** Names of aliases, which may stand for any type. */
  readonly #aliases = new Set<string>();
  readonly #signatures = new Map<number, GoSignature | undefined>();
  #having: Map<string, number[]> | undefined;

  constructor(graph: CodeGraph) {
    this.#graph = graph;
    const { symbols, files } = graph;
    const byName = new Map<string, number>();
    const methods: number[] = [];
    for (let file = 0; file < files.count; file++) {
      if (files.language(file) !== "go") continue;
      for (const symbol of symbols.inFile(file)) {
        const kind = symbols.kind(symbol);
        if (kind === "method") methods.push(symbol);
        if (kind !== "struct" && kind !== "interface" && kind !== "type") continue;
        if (kind === "interface") this.interfaces.push(symbol);
        const alias = goAlias(symbols.detail(symbol));
        if (alias !== undefined) this.#aliases.add(alias);
        byName.set(this.#key(symbol, symbols.name(symbol)), symbol);
        this.#own.set(symbol, new Map());
      }
    }
    for (const method of methods) this.#addMethod(method, byName);
    for (const type of this.#withPackageTypes()) {
      if (symbols.kind(type) !== "interface") this.open.push(type);
    }
  }

  #withPackageTypes(): Set<number> {
    const { symbols, uses } = this.#graph;
    const found = new Set<number>();
    for (const type of this.#own.keys()) {
      const users = unresolvedIn(this.#graph, symbols.name(type), "heir", symbols.file(type));
      if (users.size > 0) found.add(type);
    }
    for (const type of found) {
      for (const use of uses.into(type)) {
        if (uses.kind(use) === "inherit") found.add(uses.from(use));
      }
    }
    return found;
  }

  #key(symbol: number, name: string): string {
    const { symbols, files } = this.#graph;
    return `${folderName(files.path(symbols.file(symbol)))}#${name}`;
  }

  #addMethod(method: number, byName: ReadonlyMap<string, number>): void {
    const { symbols } = this.#graph;
    const receiver = goReceiver(symbols.detail(method));
    const elsewhere = receiver === undefined ? undefined : byName.get(this.#key(method, receiver));
    const own = this.#own.get(symbols.parent(method) ?? -1) ?? this.#own.get(elsewhere ?? -1);
    own?.set(symbols.name(method), method);
  }

  /**
   * Whether a type has these methods. Aliases and type parameters count as equal to any type, so
   * that no implementation is missed.
   */
  hasAllMethods(wanted: Methods, own: Methods): boolean {
    for (const [name, method] of wanted) {
      const other = own.get(name);
      if (other === undefined) return false;
      const [a, b] = [this.#signature(method), this.#signature(other)];
      if (
        a !== undefined &&
        b !== undefined &&
        !mayBeSame(a, b, this.#areInOnePackage(method, other))
      )
        return false;
    }
    return wanted.size > 0;
  }

  /** A test file may belong to another package than the files beside it, so it is left out. */
  #areInOnePackage(a: number, b: number): boolean {
    const { symbols, files } = this.#graph;
    const [first, second] = [a, b].map((symbol) => files.path(symbols.file(symbol)));
    if (first!.endsWith("_test.go") || second!.endsWith("_test.go")) return false;
    return folderName(first!) === folderName(second!);
  }

  #signature(method: number): GoSignature | undefined {
    if (this.#signatures.has(method)) return this.#signatures.get(method);
    const { symbols } = this.#graph;
    const owner = symbols.parent(method);
    const details = [
      symbols.detail(method),
      ...(owner === undefined ? [] : [symbols.detail(owner)]),
    ];
    const parameters = new Set(details.flatMap(goTypeParameters));
    const isOpen = (name: string): boolean => parameters.has(name) || this.#aliases.has(name);
    const found = goSignature(symbols.detail(method), symbols.name(method), isOpen);
    this.#signatures.set(method, found);
    return found;
  }

  /** The methods of a type. Its own methods hide those of embedded types. */
  methodsOf(type: number): Methods {
    const known = this.#all.get(type);
    if (known) return known;
    const methods = new Map<string, number>();
    const { uses } = this.#graph;
    const embedded = new Set([type]);
    // The nearest method of a name comes first, as in Go.
    for (const each of embedded) {
      for (const [name, method] of this.#own.get(each) ?? []) {
        if (!methods.has(name)) methods.set(name, method);
      }
      if (embedded.size > MAX_EMBEDDED) break;
      for (const use of uses.outOf(each)) {
        if (uses.kind(use) === "inherit") embedded.add(uses.to(use));
      }
    }
    this.#all.set(type, methods);
    return methods;
  }

  /**
   * The types, other than interfaces, that have the rarest of these methods. No other type can have
   * all of them.
   */
  having(methods: Methods): readonly number[] {
    this.#having ??= this.#index();
    let rarest: readonly number[] | undefined;
    for (const name of methods.keys()) {
      const types = this.#having.get(name) ?? [];
      if (rarest === undefined || types.length < rarest.length) rarest = types;
    }
    return rarest ?? [];
  }

  #index(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (const type of this.#own.keys()) {
      if (this.#graph.symbols.kind(type) === "interface") continue;
      for (const name of this.methodsOf(type).keys()) {
        const known = found.get(name);
        if (known) known.push(type);
        else found.set(name, [type]);
      }
    }
    return found;
  }
}
