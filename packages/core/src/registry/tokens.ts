/** Words that occur in nearly every sentence. They are indexed only if they are part of an id. */
const LITTLE = new Set("a an and by for in of on or the to".split(" "));
/** Filler words. They say little if there are other words, and are not treated as misspellings. */
const FILLING = new Set(
  (
    "as at did do does from has have how into is it its our please that their there these " +
    "this those want was were what when where which who why"
  ).split(" "),
);
const MAX_TOKEN_LENGTH = 40;

/** Terms that are often written as two words. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bpull[\s._-]+requests?\b/gu, "pr"],
  [/\bre[\s-]run/gu, "rerun"],
];

/** Removes a plural ending: `issues` and `issue` count as the same word. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word))
    return word.slice(0, -1);
  return word;
}

/**
 * Reduces a word to its stem: `fail`, `failed` and `failing` count as the same word. The stem
 * need not be a word.
 */
function stem(word: string): string {
  const bare = isParticiple(word) ? word.replace(/(?:ing|ed)$/u, "") : word;
  const single = bare === word ? bare : bare.replace(/([b-df-hj-np-rtv-z])\1$/u, "$1");
  return single.length > 3 ? single.replace(/e$/u, "") : single;
}

/** Endings of words that name a state, not an action: `failing`, `closed`. */
function isParticiple(word: string): boolean {
  return word.length > 5 && /(?:ing|ed)$/u.test(word);
}

function lowerCased(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function split(plain: string): string[] {
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.slice(0, MAX_TOKEN_LENGTH));
}

/** In a query, a phrase counts as one term and not as single words. */
function askedWords(text: string): string[] {
  let plain = lowerCased(text);
  for (const [phrase, word] of PHRASES) plain = plain.replaceAll(phrase, word);
  return split(plain);
}

/** In a description, a phrase counts as one term and also as single words. */
function foundWords(text: string): string[] {
  const plain = lowerCased(text);
  const folded = PHRASES.flatMap(([phrase, word]) => (plain.match(phrase) ?? []).map(() => word));
  return [...split(plain), ...folded];
}

/** Whether a word is so common that it matches only in exactly this spelling. */
export function isLittle(word: string): boolean {
  return LITTLE.has(word);
}

function isTelling(word: string): boolean {
  return !isLittle(word) && !FILLING.has(word);
}

function toToken(word: string): string {
  return stem(singular(word));
}

/** The words of an id, split at case changes and at everything that is not a letter. */
export function idTokens(id: string): string[] {
  return foundWords(id).map(toToken);
}

/** The words of a sentence in their indexed form. */
export function tokenise(text: string): string[] {
  const words = foundWords(text).filter((word) => !isLittle(word));
  return words.map(toToken);
}

export interface QueryTokens {
  readonly words: readonly string[];
  /** The filler words of a query, which only rank the results of the other words. */
  readonly asides: readonly string[];
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words.map(toToken))];
}

/** The words of a query. If it has only filler words, those are used. */
export function queryTokens(text: string): QueryTokens {
  const all = askedWords(text);
  const telling = all.filter(isTelling);
  const filling = all.filter((word) => FILLING.has(word));
  if (telling.length > 0) return { words: distinct(telling), asides: distinct(filling) };
  return { words: distinct(filling.length > 0 ? filling : all), asides: [] };
}

/** The words of a query that name a state. */
export function stateTokens(text: string): string[] {
  return askedWords(text).filter(isParticiple).map(toToken);
}

/** Whether a word may be an action. `comment` may be one, but `comments` are objects. */
function mayBeDeed(word: string): boolean {
  return !isParticiple(word) && singular(word) === word;
}

/** The words of a query that may name an action. */
export function actionTokens(text: string): string[] {
  return askedWords(text)
    .filter((word) => isTelling(word) && mayBeDeed(word))
    .map(toToken);
}
