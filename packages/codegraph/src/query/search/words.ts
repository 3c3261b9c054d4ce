/** Words that are too common to search for. */
const COMMON = new Set(
  "a an and are as at be by can do does for from how i in is it of on or that the this to we what when where which who why with".split(
    " ",
  ),
);

const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;
/** A term with fewer letters must match the whole word. */
export const MIN_STEM = 4;
const ENDINGS = /(?:ations?|ings?|ions?|ers?|ed|es|s|e)$/;

/** The words of a name, path or sentence, in lower case: `sendEmail` has two. */
export function wordsIn(text: string): string[] {
  return (text.match(PART) ?? []).map((word) => word.toLowerCase());
}

/** The stem that forms of a word share: `confirmation`, `confirmed` and `confirm`. */
function wordStem(word: string): string {
  const stem = word.replace(ENDINGS, "");
  return stem.length >= MIN_STEM ? stem : word;
}

/** The distinct words of a query. */
export function searchTerms(query: string): string[] {
  const words = [...new Set(wordsIn(query))];
  const telling = words.filter((word) => !COMMON.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(wordStem))];
}

/** Whether a word is a form of a term. Short terms must match the whole word. */
export function fitsTerm(word: string, term: string): boolean {
  return term.length >= MIN_STEM ? word.startsWith(term) : word === term;
}
