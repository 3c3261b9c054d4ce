import type { FactsWriter } from "../facts/facts-writer.ts";
import { Hashes, mix } from "../facts/hashes.ts";
import { EXPORT, TABLES } from "../facts/symbol-facts.ts";

/**
 * A hash of everything that other files can see: symbols, their types, and exports. Positions do
 * not count, and neither does code in bodies that affects no type.
 */
export function getSurface(writer: FactsWriter): number {
  const hashes = new Hashes(writer);
  const { exports, stars } = writer.tables;
  let hash = 0;
  for (let symbol = 0; symbol < writer.count("symbols"); symbol++) {
    hash = mix(hash, hashes.symbol(symbol));
  }
  for (let row = 0; row < exports.length; row += TABLES.exports.length) {
    hash = mix(hash, hashes.text(exports[row + EXPORT.name]!));
    hash = mix(hash, hashes.node(exports[row + EXPORT.value]!));
    hash = mix(hash, hashes.node(exports[row + EXPORT.type]!));
  }
  for (const star of stars) hash = mix(hash, hashes.text(star));
  return hash;
}
