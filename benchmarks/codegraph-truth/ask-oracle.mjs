// @ts-check
import { goOracle } from "./oracle-go.mjs";
import { pythonOracle } from "./oracle-python.mjs";
import { TypeScriptOracle } from "./oracle-typescript.mjs";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
/** @typedef {import("./oracle-typescript.mjs").Place} Place */
/**
 * What an oracle says of symbols, how many errors it has itself, which files it looked at, whether it
 * knows what stands at a place, and whether it counts uses of what a member overrides.
 * @typedef {{ truths: Truth[], errors: number, isChecked: (path: string) => boolean,
 *   knows?: (place: Place) => boolean, hasFamilies?: boolean }} Oracle
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
