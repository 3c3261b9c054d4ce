// @ts-check

/**
 * Something to measure: does the same work `count` times, one after the other, and returns a
 * number that only the right results add up to.
 * @typedef {{ name: string, run: (count: number) => Promise<number> }} Contender
 *
 * One measurement, in nanoseconds per operation.
 * @typedef {(contender: Contender, count: number) => Promise<number>} Slice
 */

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 50);
}

/**
 * @param {readonly number[]} values
 * @param {number} percent
 */
export function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  const position = ((sorted.length - 1) * percent) / 100;
  const low = Math.floor(position);
  const high = Math.ceil(position);
  return sorted[low] + (sorted[high] - sorted[low]) * (position - low);
}

/** A repeatable sequence of numbers from 0 up to 1 (mulberry32). @param {number} seed */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Measures nanoseconds per operation of every contender, round by round.
 *
 * This is not done with a benchmark library, because the figures that matter are ratios. A library
 * measures one contender for seconds and then the next, so that on a busy machine the conditions
 * differ. Here every contender gets a short slice in every round, in a rotating order, and a ratio
 * is only computed within a round.
 *
 * No garbage collection is forced between slices. A full one, run while no call is alive, drops the
 * hidden classes that optimised code depends on. V8 then discards that code (`--trace-deopt` shows
 * it as "weak objects"), and every slice would measure how fast it is compiled again.
 * @param {readonly Contender[]} contenders
 * @param {{ rounds: number, sliceMs: number, expected: (count: number) => number }} options
 * @returns {Promise<number[][]>} by contender, then by round
 */
export async function interleave(contenders, { rounds, sliceMs, expected }) {
  /** @type {Slice} */
  const slice = async ({ name, run }, count) => {
    const start = process.hrtime.bigint();
    const sum = await run(count);
    const elapsed = Number(process.hrtime.bigint() - start);
    if (sum !== expected(count)) throw new Error(`${name} gave wrong results`);
    return elapsed / count;
  };
  /** @type {number[]} */
  const counts = [];
  for (const contender of contenders) counts.push(await countFor(contender, slice, sliceMs));
  /** @type {number[][]} */
  const times = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < contenders.length; step++) {
      const index = (round + step) % contenders.length;
      times[index].push(await slice(contenders[index], counts[index]));
    }
  }
  return times;
}

/**
 * Warms up a contender, and finds how often it must run to fill a slice.
 * @param {Contender} contender
 * @param {Slice} slice
 * @param {number} sliceMs
 */
async function countFor(contender, slice, sliceMs) {
  let count = 64;
  for (;;) {
    const perCall = await slice(contender, count);
    const wanted = Math.ceil((sliceMs * 1e6) / perCall);
    // Optimised code is used only after the first slices, so a few full ones are run first.
    if (count >= wanted * 0.7) {
      for (let again = 0; again < 3; again++) await slice(contender, wanted);
      return Math.ceil((sliceMs * 1e6) / (await slice(contender, wanted)));
    }
    count = Math.min(wanted, count * 8);
  }
}

/**
 * The median over all rounds of how many times as fast as `reference` it was.
 * @param {readonly number[]} times
 * @param {readonly number[]} reference
 */
export function ratioWithinRounds(times, reference) {
  return median(times.map((time, round) => reference[round] / time));
}
