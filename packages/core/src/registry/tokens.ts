/** Words that say nothing about an operation: they only cost time, or are taken for misspellings. */
const STOP_WORDS = new Set(
  (
    "a an and as at by for from in into is it its of on or our that the their there these " +
    "this those to was were what when where which who why how did do does has have please want"
  ).split(" "),
);
const MAX_TOKEN_LENGTH = 40;

/** What is written in two words as often as in one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bpull[\s_-]+requests?\b/gu, "pr"],
  [/\bre[\s-]run/gu, "rerun"],
];

/** `issues` and `issue`, `labels` and `label` are one word to the one who searches. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word))
    return word.slice(0, -1);
  return word;
}

/** So are `fail`, `failed` and `failing`; what is left need not be a word. */
function stem(word: string): string {
  const bare = isParticiple(word) ? word.replace(/(?:ing|ed)$/u, "") : word;
  const single = bare === word ? bare : bare.replace(/([b-df-hj-np-rtv-z])\1$/u, "$1");
  return single.length > 3 ? single.replace(/e$/u, "") : single;
}

/** `failing`, `closed`: the state of a thing, and not what is to be done with it. */
function isParticiple(word: string): boolean {
  return word.length > 5 && /(?:ing|ed)$/u.test(word);
}

function plainWords(text: string): string[] {
  let plain = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  for (const [phrase, word] of PHRASES) plain = plain.replaceAll(phrase, word);
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map((word) => word.slice(0, MAX_TOKEN_LENGTH));
}

function toToken(word: string): string {
  return stem(singular(word));
}

/** The words of an id, a name or a sentence: split at case changes and at everything not a letter. */
export function tokenise(text: string): string[] {
  return plainWords(text).map(toToken);
}

/** Of these, what tells the state of a thing. */
export function stateTokens(text: string): string[] {
  return plainWords(text).filter(isParticiple).map(toToken);
}

/** One may `comment`, while `comments` are things. */
function mayBeDeed(word: string): boolean {
  return !isParticiple(word) && singular(word) === word;
}

/** Of these, what may be something to do. */
export function deedTokens(text: string): string[] {
  return plainWords(text).filter(mayBeDeed).map(toToken);
}
