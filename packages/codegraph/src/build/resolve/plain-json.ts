const STRING = /"(?:[^"\\\n]|\\.)*"/.source;
/** Matches a comment. A comment that never ends reaches to the end of the text. */
const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/.source;

const COMMENTS = new RegExp(`(${STRING})|${COMMENT}`, "g");
/**
 * Expects text without comments. If the lookahead also skipped comments, its time would double with
 * each comment.
 */
const TRAILING_COMMAS = new RegExp(String.raw`(${STRING})|,(?=\s*[}\]])`, "g");

/** Removes what a tsconfig.json may have and JSON does not allow: comments and trailing commas. */
export function plainJson(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(COMMENTS, "$1")
    .replace(TRAILING_COMMAS, "$1");
}
