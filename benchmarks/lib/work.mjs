// @ts-check

/** @typedef {{ a: number, b: number }} Input */
/** @typedef {{ sum: number }} Sum */

/**
 * The one piece of work: what surrounds it is what is measured.
 * @param {Input} input
 * @returns {Promise<Sum>}
 */
export async function add({ a, b }) {
  return { sum: a + b };
}
