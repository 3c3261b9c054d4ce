import { OP, SHAPES } from "./ops.ts";
import { SYMBOL, TABLES } from "./symbol-facts.ts";
import type { TableName } from "./symbol-facts.ts";

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

export const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

export function hashOfText(text: string): number {
  let hash = SEED;
  for (let place = 0; place < text.length; place++) hash = mix(hash, text.charCodeAt(place));
  return hash;
}

/** Facts, complete or still being written. */
export interface Written {
  readonly code: ArrayLike<number>;
  readonly tables: Readonly<Record<TableName, ArrayLike<number>>>;
  textAt(id: number): string;
}

/** Hashes of symbols and nodes by content, independent of their positions. */
export class Hashes {
  readonly #written: Written;
  readonly #texts: (number | undefined)[] = [];
  readonly #nodes = new Map<number, number>();

  constructor(written: Written) {
    this.#written = written;
  }

  text(id: number): number {
    return (this.#texts[id] ??= hashOfText(this.#written.textAt(id)));
  }

  /** The hash of a symbol without its children. */
  symbol(symbol: number): number {
    const { symbols } = this.#written.tables;
    const row = symbol * TABLES.symbols.length;
    let hash = mix(SEED, this.text(symbols[row + SYMBOL.name]!));
    hash = mix(hash, symbols[row + SYMBOL.kind]!);
    hash = mix(hash, symbols[row + SYMBOL.parent]!);
    hash = mix(hash, symbols[row + SYMBOL.flags]!);
    hash = mix(hash, this.node(symbols[row + SYMBOL.typeParameters]!));
    hash = mix(hash, this.node(symbols[row + SYMBOL.type]!));
    return mix(hash, this.node(symbols[row + SYMBOL.heritage]!));
  }

  /** The hash of a node. A recursive node ends where it repeats. */
  node(node: number): number {
    if (node === 0) return 0;
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const order = mix(SEED, this.#nodes.size);
    this.#nodes.set(node, order);
    const made = this.#compute(node);
    // Two type parameters can have the same content, so their order is part of the hash.
    const hash = this.#written.code[node] === OP.typeParameter ? mix(order, made) : made;
    this.#nodes.set(node, hash);
    return hash;
  }

  #compute(node: number): number {
    const { code } = this.#written;
    const shape = SHAPES[code[node]!] ?? "";
    let hash = mix(SEED, code[node]!);
    let place = node + 1;
    for (let part = 0; part < shape.length; part++) {
      const kind = shape[part];
      const value = code[place++]!;
      if (kind === "n") hash = mix(hash, this.node(value));
      else if (kind === "t") hash = mix(hash, this.text(value));
      else hash = mix(hash, value);
      for (let left = kind === "N" || kind === "M" ? value : 0; left > 0; left--) {
        if (kind === "M") hash = mix(hash, this.text(code[place++]!));
        hash = mix(hash, this.node(code[place++]!));
      }
    }
    return hash;
  }
}
