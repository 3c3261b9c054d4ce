// @ts-check
// Compares answers with the truth.

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
/** @typedef {import("./oracle-typescript.mjs").Place} Place */
/** @typedef {import("./ask-oracle.mjs").Oracle} Oracle */
/** @typedef {Place & { via?: string }} Said */
/** @typedef {{ places: Said[], isExact: boolean, why: readonly string[] } | { error: string }} Reply */
/**
 * @typedef {{ sampled: number, unanswered: string[], unknown: number, truths: number, found: number,
 *   said: number, right: number, exact: number, complete: number, exactOfComplete: number,
 *   falseExact: string[], missed: string[], wrong: string[], why: Map<string, number> }} Score
 */

/** @returns {Score} */
export const newScore = () => ({
  sampled: 0,
  unanswered: [],
  unknown: 0,
  truths: 0,
  found: 0,
  said: 0,
  right: 0,
  exact: 0,
  complete: 0,
  exactOfComplete: 0,
  falseExact: [],
  missed: [],
  wrong: [],
  why: new Map(),
});

/**
 * Adds an answer to the score. Positions must have the same line and column; a quoted name may
 * include its quote.
 * @param {Score} score @param {Sampled} symbol @param {Truth} truth @param {Reply} reply
 * @param {Pick<Oracle, "isChecked" | "knows" | "hasFamilies">} oracle
 */
export function addTo(score, symbol, truth, reply, oracle) {
  const { isChecked, knows = () => true, hasFamilies = true } = oracle;
  const label = `${symbol.path}:${symbol.line}#${symbol.name}`;
  score.sampled += 1;
  if ("error" in truth) {
    score.unknown += 1;
    return;
  }
  if ("error" in reply) {
    score.unanswered.push(`${label} ${reply.error}`);
    return;
  }
  const isTrue = (/** @type {Place} */ place) =>
    truth.places.some((other) => isSamePosition(place, other));
  // Where the oracle itself does not know the name, it cannot say that an answer is wrong.
  const said = reply.places.filter(
    (place) =>
      isChecked(place.path) &&
      (isTrue(place) || (knows(place) && (hasFamilies || place.via === undefined))),
  );
  const missed = truth.places.filter(
    (place) => !said.some((other) => isSamePosition(place, other)),
  );
  const wrong = said.filter((place) => !isTrue(place));
  score.truths += truth.places.length;
  score.found += truth.places.length - missed.length;
  score.said += said.length;
  score.right += said.length - wrong.length;
  if (reply.isExact) score.exact += 1;
  else for (const why of reply.why) addCount(score.why, why.replaceAll(/\d+/g, "#"));
  if (missed.length === 0) {
    score.complete += 1;
    if (reply.isExact) score.exactOfComplete += 1;
  } else if (reply.isExact)
    score.falseExact.push(`${label} lacks ${missed.length}, ${shown(missed[0])}`);
  for (const place of missed) score.missed.push(`${label} at ${shown(place)}`);
  for (const place of wrong) score.wrong.push(`${label} at ${shown(place)}`);
}

/** @param {Map<string, number>} counts @param {string} key */
function addCount(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** @param {Place | undefined} place */
const shown = (place) => (place ? `${place.path}:${place.line}:${place.column}` : "");

/** @param {Place} a @param {Place} b */
function isSamePosition(a, b) {
  return a.path === b.path && a.line === b.line && Math.abs(a.column - b.column) <= 1;
}
