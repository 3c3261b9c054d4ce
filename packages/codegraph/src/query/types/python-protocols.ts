import type { CodeGraph, SymbolKind } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { unresolvedIn } from "../completeness/unresolved-uses.ts";
import { canReplace } from "./python-signatures.ts";

/** The classes that have all members of a protocol, and the protocols of each class. */
export interface Protocols {
  readonly types: ReadonlyMap<number, readonly number[]>;
  readonly interfaces: ReadonlyMap<number, readonly number[]>;
  /** Types and members that may be related as well, because a type inherits from a package. */
  readonly possible: ReadonlySet<number>;
}

type Members = ReadonlyMap<string, number>;

const PROTOCOL = /^class\s+\w+\s*(?:\[[^\]]*\])?\((?:.*[\s,.(])?Protocol\b/u;
const MEMBERS: ReadonlySet<SymbolKind> = new Set(["method", "property", "accessor"]);
/** Members that every class has, or that do not belong to instances. */
const NOT_ASKED =
  /^__(?:init|new|slots|doc|module|class_getitem|init_subclass|eq|hash|repr|str)__$/u;
const MAX_BASES = 1_000;

/** A Python class implements every protocol whose members it has. */
export const pythonProtocols: (graph: CodeGraph) => Protocols = perGraph((graph) => {
  const types = new Map<number, number[]>();
  const possible = new Set<number>();
  const interfaces = new Map<number, number[]>();
  const classes = new PythonClasses(graph);
  for (const protocol of classes.protocols) {
    const wanted = classes.membersOf(protocol);
    const found = wanted.size === 0 ? [] : classes.having(wanted);
    types.set(protocol, found);
    for (const heir of classes.heirs) {
      if (!found.includes(heir)) addPossible(possible, classes, protocol, heir);
    }
    for (const type of found) interfaces.set(type, [...(interfaces.get(type) ?? []), protocol]);
  }
  return { types, interfaces, possible };
});

/** Adds the members that a class has of a protocol, if a package may provide the others. */
function addPossible(to: Set<number>, all: PythonClasses, protocol: number, heir: number): void {
  to.add(protocol).add(heir);
  const own = all.membersOf(heir);
  for (const [name, member] of all.membersOf(protocol)) {
    const found = own.get(name);
    if (found !== undefined) to.add(member).add(found);
  }
}

class PythonClasses {
  readonly protocols: readonly number[];
  /** Classes that inherit from a package. */
  readonly heirs: readonly number[];
  readonly #graph: CodeGraph;
  readonly #classes: readonly number[];
  readonly #members = new Map<number, Members>();

  constructor(graph: CodeGraph) {
    this.#graph = graph;
    const { symbols, files } = graph;
    const all: number[] = [];
    for (let symbol = 0; symbol < symbols.count; symbol++) {
      const isClass = symbols.kind(symbol) === "class";
      if (isClass && files.language(symbols.file(symbol)) === "python") all.push(symbol);
    }
    this.protocols = all.filter((each) => PROTOCOL.test(symbols.detail(each)));
    const known = new Set(this.protocols);
    this.#classes = this.protocols.length === 0 ? [] : all.filter((each) => !known.has(each));
    this.heirs = this.#classes.filter((each) => {
      const file = symbols.file(each);
      return unresolvedIn(graph, symbols.name(each), "heir", file).has(file);
    });
  }

  /** The classes that have all of these members, with parameters that fit. */
  having(wanted: Members): number[] {
    const { symbols } = this.#graph;
    return this.#classes.filter((type) => {
      const own = this.membersOf(type);
      return [...wanted].every(([name, member]) => {
        const found = own.get(name);
        return found !== undefined && canReplace(symbols.detail(member), symbols.detail(found));
      });
    });
  }

  /** The members of a class by name, including those of its parents. */
  membersOf(type: number): Members {
    let found = this.#members.get(type);
    if (!found) this.#members.set(type, (found = this.#collect(type)));
    return found;
  }

  #collect(type: number): Members {
    const { symbols, uses } = this.#graph;
    const found = new Map<string, number>();
    const pending = new Set([type]);
    for (const each of pending) {
      for (const member of symbols.inFile(symbols.file(each))) {
        const name = symbols.name(member);
        if (symbols.parent(member) !== each || !MEMBERS.has(symbols.kind(member))) continue;
        if (!found.has(name) && !NOT_ASKED.test(name)) found.set(name, member);
      }
      if (pending.size > MAX_BASES) break;
      for (const use of uses.outOf(each)) {
        if (uses.kind(use) === "inherit") pending.add(uses.to(use));
      }
    }
    return found;
  }
}
