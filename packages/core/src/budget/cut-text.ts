import { escaped } from "./costs.ts";
import { tokenCost } from "./tokens.ts";

const PIECE = 512;
const QUOTES_COST = 2;
/** The share of a text that may be dropped so that it ends at a line break, or at a word. */
const LINE_LOSS = 0.15;
const WORD_LOSS = 0.03;

/** Which end of a text is kept when it is cut. */
export type KeptEnd = "start" | "end";

function piece(text: string, skip: number, length: number, kept: KeptEnd): string {
  return kept === "start"
    ? text.slice(skip, skip + length)
    : text.slice(Math.max(0, text.length - skip - length), text.length - skip);
}

/** How many more characters of one piece fit into the remaining tokens. */
function searchPiece(text: string, skip: number, left: number, kept: KeptEnd): number {
  let low = 0;
  let high = PIECE;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokenCost(escaped(piece(text, skip, middle, kept))) <= left) low = middle;
    else high = middle - 1;
  }
  return low;
}

function fittingLength(text: string, budget: number, kept: KeptEnd): number {
  let left = budget - QUOTES_COST;
  let length = 0;
  while (length < text.length) {
    const cost = tokenCost(escaped(piece(text, length, PIECE, kept)));
    if (cost > left) return length + searchPiece(text, length, left, kept);
    left -= cost;
    length += PIECE;
  }
  return text.length;
}

/** Whether a cut would split a surrogate pair, which cannot be sent. */
function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1));
}

function startBorder(text: string, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line >= end * (1 - LINE_LOSS)) return line;
  const word = text.lastIndexOf(" ", end - 1) + 1;
  if (word >= end * (1 - WORD_LOSS)) return word;
  return splitsPair(text, end) ? end - 1 : end;
}

function endBorder(text: string, start: number): number {
  const length = text.length - start;
  // If the previous character is a line break, a line already begins here.
  const line = text.indexOf("\n", start - 1) + 1;
  if (line > 0 && line - start <= length * LINE_LOSS) return line;
  const word = text.indexOf(" ", start - 1) + 1;
  if (word > 0 && word - start <= length * WORD_LOSS) return word;
  return splitsPair(text, start) ? start + 1 : start;
}

/**
 * The longest part of a text that fits the tokens, from the important end, cut at a line if
 * possible.
 */
export function cutText(text: string, budget: number, kept: KeptEnd): string {
  const length = fittingLength(text, budget, kept);
  if (length <= 0) return "";
  if (length >= text.length) return text;
  return kept === "start"
    ? text.slice(0, startBorder(text, length))
    : text.slice(endBorder(text, text.length - length));
}
