/** Tags that become a line break. */
const BREAKS = /<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6]|hr)\b[^<>]{0,200}>/giu;
const TAGS = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,1000})?\/?>/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/**
 * Spaces at the end of a line, and empty lines. The lookbehind starts a match only at the first
 * space, because otherwise a long run of spaces would be read again from each of them.
 */
const EMPTY = /(?<![ \t])[ \t]+\n|\n{3,}/gu;

/** The text of a description without HTML, which costs tokens and does not help a model. */
export function plainText(text: string): string {
  if (!/<[a-z/]|&[a-z#]/iu.test(text)) return text.trim();
  return text
    .replaceAll(BREAKS, "\n")
    .replaceAll(TAGS, "")
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/gu, (_whole, name: string) => ENTITIES[name]!)
    .replaceAll(/&#39;/gu, "'")
    .replaceAll(EMPTY, "\n")
    .trim();
}
