/** Letters of one word beyond which another token is counted. */
const LETTERS_PER_TOKEN = 6;
const DIGITS_PER_TOKEN = 3;
/** Quotes, colons and commas of JSON mostly merge in twos. */
const TOKENS_PER_SIGN = 0.7;
const TOKENS_PER_WIDE_UNIT = 1.2;

const KIND = { letter: 0, digit: 1, space: 2, sign: 3, wide: 4 } as const;
type Kind = (typeof KIND)[keyof typeof KIND];

function kindOf(code: number): Kind {
  if (code > 126) return KIND.wide;
  if (code >= 97 && code <= 122) return KIND.letter;
  if (code >= 65 && code <= 90) return KIND.letter;
  if (code >= 48 && code <= 57) return KIND.digit;
  return code <= 32 ? KIND.space : KIND.sign;
}

function runCost(kind: Kind, length: number): number {
  switch (kind) {
    case KIND.letter:
      return Math.ceil(length / LETTERS_PER_TOKEN);
    case KIND.digit:
      return Math.ceil(length / DIGITS_PER_TOKEN);
    case KIND.space:
      // A single space joins the word after it.
      return length === 1 ? 0 : 1;
    case KIND.sign:
      return length * TOKENS_PER_SIGN;
    case KIND.wide:
      return length * TOKENS_PER_WIDE_UNIT;
  }
}

/** About how many tokens a model reads in a text; meant to err on the high side. */
export function estimateTokens(text: string): number {
  let total = 0;
  let start = 0;
  let kind: Kind = KIND.space;
  for (let index = 0; index < text.length; index++) {
    const next = kindOf(text.charCodeAt(index));
    if (next === kind) continue;
    if (index > start) total += runCost(kind, index - start);
    kind = next;
    start = index;
  }
  if (text.length > start) total += runCost(kind, text.length - start);
  return Math.ceil(total);
}
