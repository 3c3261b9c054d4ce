import type { FactsWriter } from "../facts/facts-writer.ts";
import { SHAPES } from "../facts/ops.ts";
import { SYMBOL, TABLES } from "../facts/symbol-facts.ts";

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

function textHash(text: string): number {
  let hash = SEED;
  for (let place = 0; place < text.length; place++) hash = mix(hash, text.charCodeAt(place));
  return hash;
}

/**
 * A number that changes when something changes that other files can see: symbols, what they are
 * made of, and exports; not where they stand or what happens in bodies without effect on a type.
 */
export function surfaceOf(writer: FactsWriter): number {
  const texts = writer.texts().map((text) => textHash(text));
  const nodes = new NodeHashes(writer.code, texts);
  let hash = SEED;
  const width = TABLES.symbols.length;
  const { symbols, exports, stars } = writer.tables;
  for (let row = 0; row < symbols.length; row += width) {
    hash = mix(hash, texts[symbols[row + SYMBOL.name]!]!);
    for (const column of [SYMBOL.kind, SYMBOL.parent, SYMBOL.flags])
      hash = mix(hash, symbols[row + column]!);
    for (const column of [SYMBOL.type, SYMBOL.typeParameters, SYMBOL.heritage]) {
      hash = mix(hash, nodes.of(symbols[row + column]!));
    }
  }
  for (let row = 0; row < exports.length; row += TABLES.exports.length) {
    hash = mix(mix(hash, texts[exports[row]!]!), nodes.of(exports[row + 1]!));
    hash = mix(hash, nodes.of(exports[row + 2]!));
  }
  for (const star of stars) hash = mix(hash, texts[star]!);
  return hash;
}

class NodeHashes {
  readonly #code: readonly number[];
  readonly #texts: readonly number[];
  readonly #known = new Map<number, number>();

  constructor(code: readonly number[], texts: readonly number[]) {
    this.#code = code;
    this.#texts = texts;
  }

  /** A node that contains itself ends where it is met again. */
  of(node: number): number {
    if (node === 0) return 0;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    this.#known.set(node, SEED);
    const hash = this.#compute(node);
    this.#known.set(node, hash);
    return hash;
  }

  #compute(node: number): number {
    const code = this.#code;
    let hash = mix(SEED, code[node]!);
    let place = node + 1;
    for (const part of SHAPES[code[node]!] ?? "") {
      const value = code[place++]!;
      if (part === "n") hash = mix(hash, this.of(value));
      else if (part === "t") hash = mix(hash, this.#texts[value]!);
      else hash = mix(hash, value);
      for (let left = part === "N" || part === "M" ? value : 0; left > 0; left--) {
        if (part === "M") hash = mix(hash, this.#texts[code[place++]!]!);
        hash = mix(hash, this.of(code[place++]!));
      }
    }
    return hash;
  }
}
