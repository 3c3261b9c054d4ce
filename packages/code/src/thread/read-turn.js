/** @typedef {import("../sandbox/messages.ts").Turn} Turn */
/** @typedef {Readonly<Record<string, unknown>>} Members */

const STATES = ["running", "returned", "failed", "stopped"];
/** The host can read this many values without a noticeable pause. */
const MAX_PARTS = 60_000;
const MAX_DEPTH = 250;

/** @param {unknown} value @returns {value is Members} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function isMissingOrObject(value) {
  return value === undefined || isObject(value);
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string";
}

/** @param {unknown} facts */
function isSummary(facts) {
  if (!isObject(facts)) return false;
  const { status, logs, open, isHanging, stopped, failure, blank = "" } = facts;
  if (!isMissingOrObject(stopped) || !isMissingOrObject(failure)) return false;
  const { name = "", message = "", stack = "" } = failure ?? stopped ?? {};
  return (
    STATES.includes(String(status)) &&
    Array.isArray(logs) &&
    logs.every(isText) &&
    Number.isSafeInteger(open) &&
    typeof isHanging === "boolean" &&
    [name, message, stack, blank].every(isText)
  );
}

/** @param {unknown} call */
function isCall(call) {
  if (!isObject(call)) return false;
  const { n, name, args } = call;
  return Number.isSafeInteger(n) && isText(name) && Array.isArray(args);
}

/** @param {unknown} value */
function isTooLarge(value) {
  const open = [{ part: value, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next;
    if (typeof part !== "object" || part === null) continue;
    const members = Object.values(part);
    count += 1 + members.length;
    if (count > MAX_PARTS || depth > MAX_DEPTH) return true;
    for (const member of members) open.push({ part: member, depth: depth + 1 });
  }
  return false;
}

/** @param {Turn} turn @returns {Turn} */
function stoppedTurn({ facts }) {
  const message = `The program returned, or passed to calls, more than ${MAX_PARTS} values. Return and pass less`;
  const stopped = { limit: "answer", message };
  return { facts: { ...facts, status: "stopped", stopped }, calls: [], value: null };
}

/**
 * Reads everything that comes out of the sandbox. A program can change the functions that write
 * this text, so it may contain anything.
 * @param {string} text
 * @returns {Turn}
 */
export function readTurn(text) {
  /** @type {unknown} */
  const turn = JSON.parse(text);
  const isTurn =
    isObject(turn) &&
    isSummary(turn["facts"]) &&
    Array.isArray(turn["calls"]) &&
    turn["calls"].every(isCall);
  if (!isTurn) throw new Error("The program changed built-in functions that its calls need");
  const known = /** @type {Turn} */ (/** @type {unknown} */ (turn));
  return isTooLarge(turn) ? stoppedTurn(known) : known;
}
