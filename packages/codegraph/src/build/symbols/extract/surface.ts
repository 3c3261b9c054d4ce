import type { FactsWriter } from "../facts/facts-writer.ts";
import { OP, SHAPES } from "../facts/ops.ts";
import { EXPORT, SYMBOL, TABLES } from "../facts/symbol-facts.ts";

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

/**
 * A number that changes when something changes that other files can see: symbols, what they are
 * made of, and exports; not where they stand or what happens in bodies without effect on a type.
 */
export function surfaceOf(writer: FactsWriter): number {
  const hashes = new Hashes(writer);
  const { symbols, exports, stars } = writer.tables;
  let hash = SEED;
  for (let row = 0; row < symbols.length; row += TABLES.symbols.length) {
    hash = mix(hash, hashes.text(symbols[row + SYMBOL.name]!));
    hash = mix(hash, symbols[row + SYMBOL.kind]!);
    hash = mix(hash, symbols[row + SYMBOL.parent]!);
    hash = mix(hash, symbols[row + SYMBOL.flags]!);
    hash = mix(hash, hashes.node(symbols[row + SYMBOL.typeParameters]!));
    hash = mix(hash, hashes.node(symbols[row + SYMBOL.type]!));
    hash = mix(hash, hashes.node(symbols[row + SYMBOL.heritage]!));
  }
  for (let row = 0; row < exports.length; row += TABLES.exports.length) {
    hash = mix(hash, hashes.text(exports[row + EXPORT.name]!));
    hash = mix(hash, hashes.node(exports[row + EXPORT.value]!));
    hash = mix(hash, hashes.node(exports[row + EXPORT.type]!));
  }
  for (const star of stars) hash = mix(hash, hashes.text(star));
  return hash;
}

class Hashes {
  readonly #writer: FactsWriter;
  readonly #texts: (number | undefined)[] = [];
  readonly #nodes = new Map<number, number>();

  constructor(writer: FactsWriter) {
    this.#writer = writer;
  }

  text(id: number): number {
    return (this.#texts[id] ??= this.#computeText(this.#writer.textAt(id)));
  }

  /** A node that contains itself ends where it is met again. */
  node(node: number): number {
    if (node === 0) return 0;
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const order = mix(SEED, this.#nodes.size);
    this.#nodes.set(node, order);
    const made = this.#compute(node);
    // Type parameters can be made alike; then only their order tells them apart.
    const hash = this.#writer.code[node] === OP.typeParameter ? mix(order, made) : made;
    this.#nodes.set(node, hash);
    return hash;
  }

  #computeText(text: string): number {
    let hash = SEED;
    for (let place = 0; place < text.length; place++) hash = mix(hash, text.charCodeAt(place));
    return hash;
  }

  #compute(node: number): number {
    const { code } = this.#writer;
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
