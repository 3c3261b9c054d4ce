/**
 * What a terminal would act upon, and what a reader cannot see but a model reads: control codes,
 * marks that reorder text, characters without width, and Unicode's tag characters.
 */
const HIDDEN =
  /(?![\n\t])\p{Cc}|[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** A server's words without what is hidden in them. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(HIDDEN, "");
}
