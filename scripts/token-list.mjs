// @ts-check
// Writes the list of common o200k tokens with which core counts tokens: `npm run token-list`, then
// `npm run fmt`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const OUTPUT = new URL("../packages/core/src/budget/token-list.ts", import.meta.url);
const MAX_WORD = 16;
const MAX_SIGNS = 32;
const MAX_SHARED = 9;
const FIRST_LEVEL = 33;
const LEVEL_BASE = 93;
const RANKS = 200_000;
const FINE_RANKS = 64;

/** How many of the first tokens are searched for each kind of word. The first match counts. */
const LIMITS = /** @type {const} */ ([
  [/^[^\p{L}\p{N}]+$/u, 200_000],
  [/^.$/su, 200_000],
  [/^[\0-\x7F]+$/, 24_000],
  [/[\u0900-\u097F]/, 80_000],
  [/[\u0400-\u052F]/, 50_000],
  [/^/, 60_000],
]);

/** Core stores these characters in a separate bit set. @param {string} token */
function isHanOrHangul(token) {
  return /^[\u4E00-\u9FFF\uAC00-\uD7A3]$/.test(token);
}

/** @param {string} token @param {number} rank */
function isListed(token, rank) {
  if (/[\uFEFF\uFFFD\p{N}]/u.test(token) || /^[\0-\x7F]$/.test(token)) return false;
  const longest = /\p{L}/u.test(token) ? MAX_WORD : MAX_SIGNS;
  if (token.length > longest || isHanOrHangul(token)) return false;
  return rank < (LIMITS.find(([pattern]) => pattern.test(token))?.[1] ?? 0);
}

/** @param {string} a @param {string} b */
function sharedLength(a, b) {
  let length = 0;
  while (length < MAX_SHARED && length < a.length && a[length] === b[length]) length++;
  return length;
}

/** @param {string} text */
function literal(text) {
  return JSON.stringify(text).replaceAll(/[\p{Cf}\p{Z}\p{Cc}]/gu, (sign) =>
    sign === " " ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The rank of a token in two characters. It is exact for the first tokens, which matter most.
 * @param {number} rank
 */
function getLevel(rank) {
  const share = Math.log2(1 + rank / FINE_RANKS) / Math.log2(1 + RANKS / FINE_RANKS);
  const level = Math.floor(share * LEVEL_BASE ** 2);
  return String.fromCharCode(
    FIRST_LEVEL + Math.floor(level / LEVEL_BASE),
    FIRST_LEVEL + (level % LEVEL_BASE),
  );
}

const require = createRequire(import.meta.url);
const folder = require.resolve("gpt-tokenizer/package.json");
const lines = readFileSync(new URL("data/o200k_base.tiktoken", `file://${folder}`), "utf8");
const tokens = lines
  .trim()
  .split("\n")
  .map((line) => Buffer.from(line.slice(0, line.indexOf(" ")), "base64").toString("utf8"))
  .map((token, rank) => ({ token, level: getLevel(rank), isListed: isListed(token, rank) }))
  .filter((entry) => entry.isListed)
  .toSorted((a, b) => (a.token < b.token ? -1 : 1));
const list = tokens.map(({ token }, index) => {
  const shared = sharedLength(tokens[index - 1]?.token ?? "", token);
  return `${shared}${token.slice(shared)}`;
});
writeFileSync(
  OUTPUT,
  `// Written by scripts/token-list.mjs.

/**
 * The more common tokens of o200k, sorted. Each is preceded by a digit: how many characters, at
 * most nine, it shares with the previous one.
 */
export const TOKENS: string = ${literal(list.join(""))};

/** Two characters per token: the smaller they are, the earlier the encoding creates that token. */
export const LEVELS: string = ${literal(tokens.map(({ level }) => level).join(""))};
`,
);
console.log(`${tokens.length} tokens`);
