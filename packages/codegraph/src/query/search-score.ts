/** How a name was matched, the best first. */
export type Match = "exact" | "prefix" | "camel" | "substring" | "fuzzy" | "near";

export interface Scored {
  readonly match: Match;
  readonly score: number;
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

/** `gUV` and `guv` find `getUserView`: every letter continues a word or begins the next one. */
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

/** How close together the letters stand; undefined when they do not all occur in their order. */
function spanOf(wanted: string, lower: string): number | undefined {
  let start = -1;
  let at = -1;
  for (const letter of wanted) {
    at = lower.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    if (start < 0) start = at;
  }
  return at - start + 1;
}

function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}

/** How well a name answers a query; undefined when it does not have it in one piece or by words. */
export function scoreMatch(
  query: string,
  wanted: string,
  name: string,
  lower: string,
): Scored | undefined {
  if (name === query) return { match: "exact", score: 1 };
  if (lower === wanted) return { match: "exact", score: 0.98 };
  if (lower.startsWith(`${wanted}.`)) return { match: "exact", score: 0.96 };
  const share = wanted.length / lower.length;
  if (lower.startsWith(wanted)) return { match: "prefix", score: rounded(0.8 + 0.1 * share) };
  const at = lower.indexOf(wanted);
  if (at >= 0 && isWordStart(name, at)) {
    return { match: "substring", score: rounded(0.7 + 0.1 * share) };
  }
  if (wanted.length > 1 && matchesWords(wanted, name, lower)) {
    return { match: "camel", score: rounded(0.65 + 0.1 * share) };
  }
  if (at >= 0) return { match: "substring", score: rounded(0.55 + 0.1 * share) };
  return undefined;
}

/** Letters that stand in their order but apart; asked only where nothing better was found. */
export function scoreFuzzy(wanted: string, lower: string): Scored | undefined {
  const span = wanted.length > 2 ? spanOf(wanted, lower) : undefined;
  if (span === undefined || span > wanted.length * 3) return undefined;
  return { match: "fuzzy", score: rounded(0.2 + (0.25 * wanted.length) / span) };
}
