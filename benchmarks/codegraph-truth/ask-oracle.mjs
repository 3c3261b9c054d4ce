// @ts-check
import { goOracle } from "./oracle-go.mjs";
import { pythonOracle } from "./oracle-python.mjs";
import { TypeScriptOracle } from "./oracle-typescript.mjs";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
/** @typedef {import("./oracle-typescript.mjs").Place} Place */
/**
 * The oracle's answers about symbols, its own error count, the files it read, whether it can
 * resolve a position, and whether it counts uses of overridden members.
 * @typedef {{ truths: Truth[], errors: number, isChecked: (path: string) => boolean, knows?:
 * (place: Place) => boolean, hasFamilies?: boolean }} Oracle
 */

/**
 * @param {string} root @param {string} language @param {readonly string[]} paths
 * @param {readonly Sampled[]} symbols @returns {Promise<Oracle>}
 */
export async function askOracle(root, language, paths, symbols) {
  if (language === "python") return pythonOracle(root, paths, symbols);
  if (language === "go") return goOracle(root, paths, symbols);
  const oracle = new TypeScriptOracle(root, paths);
  const known = new Set(paths);
  const truths = oracle.references(symbols);
  return {
    truths,
    errors: oracle.errors(),
    isChecked: (path) => known.has(path),
    knows: (place) => oracle.knows(place),
  };
}
