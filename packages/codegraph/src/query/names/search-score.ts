import { readLetters } from "./search-letters.ts";

/** How a name matched, the best first. */
export type Match =
  | "exact"
  | "prefix"
  | "word"
  | "camel"
  | "substring"
  | "fuzzy"
  | "near"
  | "words";

/** The lowest score of each kind of match. Within a kind, a larger part of the name wins. */
const FLOORS: readonly (readonly [Match, number])[] = [
  ["exact", 0.96],
  ["prefix", 0.86],
  ["word", 0.75],
  ["camel", 0.66],
  ["substring", 0.55],
  ["fuzzy", 0.2],
];

export const NEAR_SCORE = 0.1;

export function getMatch(score: number): Match {
  return FLOORS.find(([, floor]) => score >= floor)?.[0] ?? "near";
}

/** The search text, prepared once for all comparisons. */
export interface Wanted {
  readonly text: string;
  readonly lower: string;
  readonly withDot: string;
  readonly letters: number;
}

export function readWanted(text: string): Wanted {
  const lower = text.toLowerCase();
  return { text, lower, withDot: `${lower}.`, letters: readLetters(lower) };
}

function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isWordStart(name: string, at: number): boolean {
  if (at === 0) return true;
  const before = name[at - 1]!;
  if (!isWordCharacter(before.charCodeAt(0))) return true;
  const here = name[at]!;
  return here !== here.toLowerCase() && before === before.toLowerCase();
}

/** `gUV` and `guv` find `getUserView`: every letter continues a word or starts the next one. */
function matchesWords(wanted: string, name: string, lower: string): boolean {
  let at = 0;
  let isRun = false;
  for (const letter of wanted) {
    if (isRun && lower[at] === letter) {
      at += 1;
      continue;
    }
    let next = lower.indexOf(letter, at);
    while (next >= 0 && !isWordStart(name, next)) next = lower.indexOf(letter, next + 1);
    if (next < 0) return false;
    at = next + 1;
    isRun = true;
  }
  return true;
}

/** Whether all letters occur in order, which every kind of match requires. */
export function hasInOrder(wanted: string, lower: string): boolean {
  let found = 0;
  // Faster than `indexOf` for each letter, because this runs for every name of a tree.
  for (let at = 0; at < lower.length && found < wanted.length; at++) {
    if (lower.charCodeAt(at) === wanted.charCodeAt(found)) found += 1;
  }
  return found === wanted.length;
}

/** How close together the letters are; undefined if they do not occur in order. */
function findSpan(wanted: string, lower: string): number | undefined {
  let start = -1;
  let at = -1;
  for (const letter of wanted) {
    at = lower.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    if (start < 0) start = at;
  }
  return at - start + 1;
}

/** The score of a name that contains the text, in one piece or by its words; 0 if it does not. */
export function scoreMatch(wanted: Wanted, name: string, lower: string): number {
  const share = wanted.lower.length / lower.length;
  const at = lower.indexOf(wanted.lower);
  if (at === 0) {
    if (name === wanted.text) return 1;
    if (share === 1) return 0.98;
    return lower.startsWith(wanted.withDot) ? 0.96 : 0.86 + 0.09 * share;
  }
  if (at > 0 && isWordStart(name, at)) return 0.75 + 0.1 * share;
  if (wanted.lower.length > 1 && matchesWords(wanted.lower, name, lower))
    return 0.66 + 0.08 * share;
  return at > 0 ? 0.55 + 0.1 * share : 0;
}

/** The score of letters that occur in order but apart. Used only if nothing better was found. */
export function scoreFuzzy(wanted: Wanted, _name: string, lower: string): number {
  const { length } = wanted.lower;
  const span = length > 2 ? findSpan(wanted.lower, lower) : undefined;
  return span === undefined || span > length * 3 ? 0 : 0.2 + (0.25 * length) / span;
}
