import { isCommonCharacter, joinsSpace } from "./common-characters.ts";
import { MAX_REMEMBERED, costIn, isRemembered, remember, readSlot } from "./remembered.ts";
import { NO_TOKEN, hasTokenList, tokenLevel } from "./token-tree.ts";

/** Longer pieces are merged in parts, so that the time is linear in the length. */
const MAX_PART = 32;

const LOOSE_FACTOR = 4 / 3;
/** With fewer characters per token than this, a text probably does not consist of listed words. */
const MANY = 2;

const SPACE = 32;

/** For the first half of an emoji, one bit per third byte that forms one token with it. */
const EMOJI_THIRDS = [0xf080, 0x071f, 0x0030];

/** Where each token starts, and the level of the token that it would form with the next one. */
const starts = new Uint32Array(MAX_PART + 2);
const levels = new Uint16Array(MAX_PART + 2);

function isEmojiStart(code: number): boolean {
  return code >= 0xd83c && code <= 0xd83e;
}

/**
 * The cost of half of a four-byte character. The first two bytes of emoji, often three, are one
 * token.
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
  if (text.charCodeAt(index - 1) === SPACE && joinsSpace(code)) return 2;
  if (isCommonCharacter(code)) return 1;
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

/** Merges like the encoding: it always joins the pair of neighbours with the lowest level first. */
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
 * within a character. The list has none of these, so the real encoding of such text may differ.
 */
function isLooselyListed(code: number): boolean {
  return (code >= 0x530 && code < 0x5d0) || (code >= 0x980 && code < 0x1100);
}

/** Devanagari words are listed, but other text may be cut within its characters. */
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
  // A cut between parts may save a token that the encoding would use, so one is added per cut.
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

/** The tokens of a piece of text, encoded with only the tokens of the list. */
export function pieceCost(text: string, start: number, end: number): number {
  // Counts without the list must not be cached, because the list may be loaded later.
  if (end - start > MAX_REMEMBERED || !hasTokenList()) return encodedCost(text, start, end);
  const slot = readSlot(text, start, end);
  if (!isRemembered(slot, text, start, end)) {
    remember(slot, text, start, end, encodedCost(text, start, end));
  }
  return costIn(slot);
}
