import { SYMBOL_KINDS } from "../../../graph/index.ts";
import type { SymbolKind } from "../../../graph/index.ts";
import { FactsView } from "../facts/facts-view.ts";
import { SYMBOL_FLAG } from "../facts/ops.ts";
import { EXPORT, SYMBOL, TABLES } from "../facts/symbol-facts.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import type { Type } from "./type.ts";

const WIDTH = TABLES.symbols.length;
const NO_MEMBERS: ReadonlyMap<string, number> = new Map();

export interface ExportedNodes {
  readonly value: number;
  readonly type: number;
}

interface Unfolding {
  readonly depth: number;
  readonly times: number;
}

/** A file during linking: its facts, with indexes that are built on demand. */
export class LinkedFile {
  readonly facts: FactsView;
  readonly code: Int32Array;
  readonly symbols: Int32Array;
  /** The types of evaluated nodes. Nodes being evaluated are in `pending`. */
  readonly known = new Map<number, Type | undefined>();
  readonly pending = new Map<number, number>();
  /** The aliases being evaluated: the depth of the outermost evaluation, and how many there are. */
  readonly unfolding = new Map<number, Unfolding>();
  #members: Map<number, Map<string, number>> | undefined;
  #exports: Map<string, ExportedNodes> | undefined;

  constructor(facts: FileSymbolData) {
    this.facts = new FactsView(facts);
    this.code = this.facts.code;
    this.symbols = this.facts.tables.symbols;
  }

  symbol(symbol: number, column: number): number {
    return this.symbols[symbol * WIDTH + column]!;
  }

  kind(symbol: number): SymbolKind {
    return SYMBOL_KINDS[this.symbol(symbol, SYMBOL.kind)]!;
  }

  /** A member of a symbol by name. Static members are separate. */
  member(symbol: number, name: string, fixed: boolean): number | undefined {
    this.#members ??= this.#indexMembers();
    return (this.#members.get(fixed ? ~symbol : symbol) ?? NO_MEMBERS).get(name);
  }

  exported(name: string): ExportedNodes | undefined {
    return (this.#exports ??= this.#indexExports()).get(name);
  }

  #indexMembers(): Map<number, Map<string, number>> {
    const members = new Map<number, Map<string, number>>();
    const count = this.facts.count("symbols");
    for (let symbol = 1; symbol < count; symbol++) {
      const fixed = (this.symbol(symbol, SYMBOL.flags) & SYMBOL_FLAG.static) !== 0;
      const parent = this.symbol(symbol, SYMBOL.parent);
      const owner = fixed ? ~parent : parent;
      const name = this.facts.text(this.symbol(symbol, SYMBOL.name));
      let names = members.get(owner);
      if (!names) members.set(owner, (names = new Map()));
      if (!names.has(name)) names.set(name, symbol);
    }
    return members;
  }

  #indexExports(): Map<string, ExportedNodes> {
    const { exports } = this.facts.tables;
    const found = new Map<string, ExportedNodes>();
    for (let row = 0; row < exports.length; row += TABLES.exports.length) {
      const name = this.facts.text(exports[row + EXPORT.name]!);
      const known = found.get(name);
      const value = exports[row + EXPORT.value]! || known?.value || 0;
      found.set(name, { value, type: exports[row + EXPORT.type]! || known?.type || 0 });
    }
    return found;
  }
}
