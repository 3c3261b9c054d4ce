/** Words so common in ids and descriptions that they only cost time. */
const STOP_WORDS = new Set(["a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to"]);
const MAX_TOKEN_LENGTH = 40;

/** `issues` and `issue`, `labels` and `label` are one word to the one who searches. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word))
    return word.slice(0, -1);
  return word;
}

/** The words of an id, a name or a sentence: split at case changes and at everything not a letter. */
export function tokenise(text: string): string[] {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map((word) => singular(word.slice(0, MAX_TOKEN_LENGTH)));
}
