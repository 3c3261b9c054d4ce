const TAG =
  /@(?:type|typedef|param|arg|argument|returns?|yields?|throws|property|prop|extends|augments|implements|template|this|satisfies|enum|import)\s*\{/gu;
const MAX_TYPE = 2_000;

/** The types in the doc comments of JavaScript, where TypeScript reads them: `@type {Item}`. */
export function docTypes(text: string): string {
  const types: string[] = [];
  let end = 0;
  for (let start = text.indexOf("/**"); start >= 0; start = text.indexOf("/**", end)) {
    end = text.indexOf("*/", start + 3);
    if (end < 0) break;
    const comment = text.slice(start, end);
    for (const { 0: tag, index } of comment.matchAll(TAG)) {
      types.push(inBraces(comment, index + tag.length));
    }
  }
  return types.join(" ");
}

/** The text up to the brace that closes the one before it. */
function inBraces(text: string, start: number): string {
  let depth = 1;
  const last = Math.min(text.length, start + MAX_TYPE);
  for (let at = start; at < last; at++) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(start, at);
  }
  return text.slice(start, last);
}
