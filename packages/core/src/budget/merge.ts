import { MAX_REMEMBERED, costIn, isRemembered, remember, readSlot } from "./token-count-cache.ts";
import { NO_TOKEN, commonCharacters, hasTokenList, tokenLevel } from "./token-tree.ts";

/** Longer pieces are merged in parts, so that the time is linear in the length. */
const MAX_PART = 32;

const LOOSE_FACTOR = 4 / 3;
/**
 * A text with fewer characters per token than this probably consists of words that the token
 * list does not have.
 */
const MANY = 2;

const SPACE = 32;

/**
 * For each possible first half of an emoji, a bit mask of the third bytes that form one token
 * with it.
 */
const EMOJI_THIRDS = [0xf080, 0x071f, 0x0030];

/** For each token, its start and the level of the token that it would form with the next one. */
const starts = new Uint32Array(MAX_PART + 2);
const levels = new Uint16Array(MAX_PART + 2);

function isEmojiStart(code: number): boolean {
  return code >= 0xd83c && code <= 0xd83e;
}

/**
 * The token count of half of a four-byte character. The first two or three bytes of an emoji are
 * one token.
 */
function halfCost(code: number, before: number): number {
  if (isEmojiStart(code)) return 1;
  if (!isEmojiStart(before)) return 2;
  return ((EMOJI_THIRDS[before - 0xd83c]! >> ((code >> 6) & 15)) & 1) === 1 ? 1 : 2;
}

/** The tokens of a single character: one, or at most one per UTF-8 byte. */
function characterCost(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  const common = commonCharacters();
  if (text.charCodeAt(index - 1) === SPACE && common?.joinsSpace(code) === true) return 2;
  if (common?.isCommonCharacter(code) === true) return 1;
  if (code >= 0xd800 && code < 0xe000) return halfCost(code, text.charCodeAt(index - 1));
  if (tokenLevel(text, index, index + 1) !== NO_TOKEN) return 1;
  return code < 0x800 ? 2 : 3;
}

function removeToken(index: number, count: number): void {
  starts.copyWithin(index, index + 1, count + 1);
  levels.copyWithin(index, index + 1, count + 1);
}

function levelAt(text: string, index: number, count: number): number {
  return index + 1 < count ? tokenLevel(text, starts[index]!, starts[index + 2]!) : NO_TOKEN;
}

function lowest(count: number): number {
  let at = 0;
  for (let index = 1; index < count; index++) if (levels[index]! < levels[at]!) at = index;
  return at;
}

/**
 * Merges as the tokenizer does: it always joins the neighbouring pair with the lowest level
 * first.
 */
function mergePart(text: string, start: number, end: number): number {
  let count = end - start;
  for (let index = 0; index <= count; index++) starts[index] = start + index;
  for (let index = 0; index < count; index++) levels[index] = levelAt(text, index, count);
  for (;;) {
    const at = lowest(count);
    if (levels[at] === NO_TOKEN) break;
    removeToken(at + 1, count);
    count -= 1;
    levels[at] = levelAt(text, at, count);
    if (at > 0) levels[at - 1] = levelAt(text, at - 1, count);
  }
  const cost = readCost(text, count);
  const last = text.charCodeAt(end - 1);
  const isLoose = isLooselyListed(last) || (isDevanagari(last) && cost * MANY > end - start);
  return isLoose ? Math.ceil(cost * LOOSE_FACTOR) : cost;
}

/**
 * Scripts from Armenian to Hebrew points, and from Bengali to Georgian. Many of their tokens end
 * within a character, and the token list omits these tokens. So the real token count of such
 * text may differ.
 */
function isLooselyListed(code: number): boolean {
  return (code >= 0x530 && code < 0x5d0) || (code >= 0x980 && code < 0x1100);
}

/**
 * Devanagari words are in the token list. Other Devanagari text may have tokens that end within
 * a character.
 */
function isDevanagari(code: number): boolean {
  return code >= 0x900 && code < 0x980;
}

function readCost(text: string, count: number): number {
  let cost = 0;
  for (let index = 0; index < count; index++) {
    const start = starts[index]!;
    cost += starts[index + 1]! - start > 1 ? 1 : characterCost(text, start);
  }
  return cost;
}

function mergeParts(text: string, start: number, end: number): number {
  // Cutting a text into parts may hide a token, so one token is added per cut.
  let cost = Math.ceil((end - start) / MAX_PART) - 1;
  for (let at = start; at < end; at += MAX_PART) {
    cost += mergePart(text, at, Math.min(end, at + MAX_PART));
  }
  return cost;
}

function encodedCost(text: string, start: number, end: number): number {
  if (end - start > MAX_PART) return mergeParts(text, start, end);
  if (tokenLevel(text, start, end) !== NO_TOKEN) return 1;
  return mergePart(text, start, end);
}

/** The token count of a piece of text, encoded with only the tokens of the list. */
export function pieceCost(text: string, start: number, end: number): number {
  // A count that was made before the list was loaded is not cached, because it is too high.
  if (end - start > MAX_REMEMBERED || !hasTokenList()) return encodedCost(text, start, end);
  const slot = readSlot(text, start, end);
  if (!isRemembered(slot, text, start, end)) {
    remember(slot, text, start, end, encodedCost(text, start, end));
  }
  return costIn(slot);
}
