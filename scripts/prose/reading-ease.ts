import { textsInPage } from "./read-texts.ts";

/**
 * The Flesch reading ease of a page: 206.835 − 1.015 × words per sentence − 84.6 × syllables per word.
 * Headings and tables are left out, and code counts as one word.
 */
export function readingEase(page: string): number {
  const sentences = textsInPage(page)
    .map(({ body }) => body.replaceAll("`code`", "code"))
    .filter((body) => !/^[|#]/.test(body))
    .flatMap((body) => body.split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.match(/[A-Za-z][A-Za-z'-]*/g) ?? [])
    .filter((words) => words.length > 0);
  const words = sentences.flat();
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0);
  return 206.835 - (1.015 * words.length) / sentences.length - (84.6 * syllables) / words.length;
}

/** Groups of vowels, without a silent ending. */
function countSyllables(word: string): number {
  if (word.length <= 3) return 1;
  const sounded = word.toLowerCase().replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, "");
  return Math.max(1, sounded.replace(/^y/, "").match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
