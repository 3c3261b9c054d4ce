import type { Text } from "./read-texts.ts";

/** A pattern that is hard to read, with its replacement. */
export interface Rule {
  readonly name: string;
  readonly advice: string;
  readonly count: (text: Text) => number;
}

const LONGEST_SENTENCE = 35;

/** Words with a more usual replacement. */
const WORDS: readonly (readonly [name: string, pattern: RegExp, advice: string])[] = [
  ["unless told", /\bunless (?:told|given|said|asked|named|set)\b/gi, "(default: …)"],
  ["mend", /\bmend(?:s|ed|ing)?\b/gi, "fix"],
  ["texts", /\btexts\b/gi, "strings"],
  ["leads nowhere", /\bleads? nowhere\b/gi, "does not exist"],
  ["in so many words", /\bin so many words\b/gi, "literally"],
  ["whoever", /\bwho(?:so)?ever\b/gi, "name the reader or the program"],
  ["of which none", /\bof which none\b/gi, "none of them"],
  ["goes without saying", /\bgo(?:es)? without saying\b/gi, "say it, or leave it out"],
  ["in earnest", /\bin earnest\b/gi, "really"],
  [
    "nobody knows",
    /\bnobody (?:knows|knew|saw|sees|looks|means|took|asked)\b/gi,
    "say who does what",
  ],
  ["all the same", /\ball the same\b/gi, "still, anyway"],
  ["twin", /\btwins?\b/gi, "copy, duplicate, match"],
  ["hostage", /\bhostages?\b/gi, "say what is not affected"],
  ["whichever", /\bwhichever\b/gi, "any"],
  ["seldom", /\bseldom\b/gi, "rarely"],
  ["lest", /\blest\b/gi, "so that … not"],
  ["hence", /\b(?:hence|thus|whence|thereby|wherein|therein|thereof)\b/gi, "so, which, there"],
  ["to be had", /\b(?:can|cannot|could|to) (?:not )?be had\b/gi, "available"],
  ["causal for", /,;? for (?:nobody|nothing|none|it|they|there|who|otherwise|what)\b/gi, "because"],
];

const OPENINGS: readonly (readonly [name: string, pattern: RegExp, advice: string])[] = [
  ["starts with What", /^What\b(?!.*\?$)/, "start with who does what"],
  ["starts with Of", /^Of (?!course)/, "start with who does what"],
];

const words = WORDS.map(([name, pattern, advice]): Rule => {
  return {
    name,
    advice,
    count: (text) => countIn(text, (body) => body.match(pattern)?.length ?? 0),
  };
});

const openings = OPENINGS.map(([name, pattern, advice]): Rule => {
  const count = (body: string) => sentencesIn(body).filter((one) => pattern.test(one)).length;
  return { name, advice, count: (text) => countIn(text, count) };
});

export const rules: readonly Rule[] = [
  ...words,
  ...openings,
  {
    name: "long sentence",
    advice: `one fact for each sentence, at most ${LONGEST_SENTENCE} words`,
    count: ({ kind, body }) => (kind === "page" ? sentencesIn(body).filter(isLong).length : 0),
  },
  {
    name: "title",
    advice: "a test title that can be read alone: returns NOT_FOUND for an unknown id",
    count: ({ kind, body }) => (kind === "title" && TITLE_OPENING.test(body) ? 1 : 0),
  },
  {
    name: "name",
    advice: "name what it returns or holds; Of, Facts and Place say little",
    count: ({ kind, body }) => (kind === "name" && /[a-z](?:Of|Facts|Place)$/.test(body) ? 1 : 0),
  },
];

const TITLE_OPENING = /^(?:that|which|whose|of|and|but|or|nor|also|even|so|by|with|for|as|to)\b/i;

function countIn({ kind, body }: Text, count: (body: string) => number): number {
  return kind === "name" ? 0 : count(body);
}

function sentencesIn(body: string): string[] {
  return body.split(/(?<=[.!?:;])\s+|\s*\n\s*\n\s*/).filter((sentence) => sentence !== "");
}

function isLong(sentence: string): boolean {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > LONGEST_SENTENCE;
}
