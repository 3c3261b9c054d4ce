// @ts-check

/** @typedef {{ a: number, b: number }} Input */
/** @typedef {{ sum: number }} Sum */

/**
 * The same trivial work for every contender, so that only the overhead is measured.
 * @param {Input} input
 * @returns {Promise<Sum>}
 */
export async function add({ a, b }) {
  return { sum: a + b };
}
