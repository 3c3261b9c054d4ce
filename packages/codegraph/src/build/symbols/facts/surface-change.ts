import { FactsView, factsSurface } from "./facts-view.ts";
import { hashOfText, Hashes, mix } from "./hashes.ts";
import { OP } from "./ops.ts";
import { EXPORT, SYMBOL, TABLES } from "./symbol-facts.ts";
import type { FileSymbolData } from "./symbol-facts.ts";

/** The difference between two versions of a file that other files can see. */
export interface SurfaceChange {
  /** Whether existing symbols have changed. Additions do not count. */
  readonly isMoved: boolean;
  /** The hashes of exported names that were changed, added or removed. */
  readonly names: readonly number[];
  /** Whether the `export *` statements have changed. */
  readonly hasOtherStars: boolean;
}

const SAME: SurfaceChange = { isMoved: false, names: [], hasOtherStars: false };

export function surfaceChange(before: FileSymbolData, now: FileSymbolData): SurfaceChange {
  if (factsSurface(before) === factsSurface(now)) return SAME;
  const [a, b] = [new Surface(before), new Surface(now)];
  const names = new Set([...a.exports.keys(), ...b.exports.keys()]);
  return {
    isMoved: !b.keeps(a),
    names: [...names].filter((name) => a.exports.get(name) !== b.exports.get(name)).map(hashOfText),
    hasOtherStars: a.stars !== b.stars,
  };
}

/** The hashes of all names that a file exports itself. */
export function exportedNames(facts: FileSymbolData): number[] {
  const view = new FactsView(facts);
  const { exports } = view.tables;
  const rows = Array.from({ length: view.count("exports") }, (_, row) => row);
  const column = (row: number): number => exports[row * TABLES.exports.length + EXPORT.name]!;
  return rows.map((row) => hashOfText(view.text(column(row))));
}

/** The specifiers in a file's `export *` statements. */
export function getStars(facts: FileSymbolData): string[] {
  const view = new FactsView(facts);
  return Array.from(view.tables.stars, (star) => view.text(star));
}

class Surface {
  /** The hash of each export: its symbol's number and content. */
  readonly exports = new Map<string, number>();
  readonly stars: string;
  readonly #view: FactsView;
  readonly #symbols: Int32Array;

  constructor(facts: FileSymbolData) {
    const view = new FactsView(facts);
    this.#view = view;
    const { code, tables } = view;
    const hashes = new Hashes({ code, tables, textAt: (id) => view.text(id) });
    this.#symbols = Int32Array.from({ length: view.count("symbols") }, (_, symbol) =>
      hashes.symbol(symbol),
    );
    this.stars = Array.from(tables.stars, (star) => view.text(star)).join("\n");
    this.#hashExports(hashes, withContent(this.#symbols, view));
  }

  /**
   * Whether all symbols of an earlier version have the same numbers here, and none was inserted.
   */
  keeps(before: Surface): boolean {
    const known = before.#symbols;
    if (known.length > this.#symbols.length) return false;
    if (!known.every((hash, symbol) => hash === this.#symbols[symbol])) return false;
    const taken = new Set(Array.from(known.keys(), (symbol) => before.#nameOf(symbol)));
    for (let symbol = known.length; symbol < this.#symbols.length; symbol++) {
      const parent = this.#view.get("symbols", symbol, SYMBOL.parent);
      if (parent > 0 && parent < known.length) return false;
      // Another declaration of the same name may extend the earlier ones.
      if (parent === 0 && taken.has(this.#nameOf(symbol))) return false;
    }
    return true;
  }

  #nameOf(symbol: number): string {
    return this.#view.text(this.#view.get("symbols", symbol, SYMBOL.name));
  }

  #hashExports(hashes: Hashes, symbols: Int32Array): void {
    const { code, tables } = this.#view;
    const { exports } = tables;
    const hashOf = (node: number): number => {
      const hash = hashes.node(node);
      return code[node] === OP.symbol ? mix(hash, symbols[code[node + 1]!] ?? 0) : hash;
    };
    for (let row = 0; row < exports.length; row += TABLES.exports.length) {
      const name = this.#view.text(exports[row + EXPORT.name]!);
      const value = hashOf(exports[row + EXPORT.value]!);
      const type = hashOf(exports[row + EXPORT.type]!);
      this.exports.set(name, mix(mix(this.exports.get(name) ?? 0, value), type));
    }
  }
}

/** The hash of each symbol including its children, which come after it. */
function withContent(symbols: Int32Array, view: FactsView): Int32Array {
  const hashes = symbols.slice();
  for (let symbol = symbols.length - 1; symbol > 0; symbol--) {
    const parent = view.get("symbols", symbol, SYMBOL.parent);
    if (parent > 0) hashes[parent] = mix(hashes[parent]!, hashes[symbol]!);
  }
  return hashes;
}
