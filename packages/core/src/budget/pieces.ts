// The o200k tokenizer splits a text into pieces before it looks for tokens. No token crosses the
// end of a piece.

const NUMBER = 1;
const SMALL = 2;
const CAPITAL = 3;
const MARK = 4;
const SIGN = 5;
// All classes from this one on are white space.
const BLANK = 6;
const SPACE = 7;
const LINE_END = 8;

const DIGITS_PER_PIECE = 3;
const SLASH = 47;

/** The character class of each UTF-16 code unit, cached when it is first seen. */
const classes = new Uint8Array(65_536);

/** Letters of scripts without upper case are classified as lower case. */
function learnClass(code: number): number {
  const text = String.fromCharCode(code);
  if (/[\p{Lu}\p{Lt}]/u.test(text)) return CAPITAL;
  if (/\p{L}/u.test(text)) return SMALL;
  if (/\p{M}/u.test(text)) return MARK;
  if (/\p{N}/u.test(text)) return NUMBER;
  if (!/\s/.test(text)) return SIGN;
  if (text === " ") return SPACE;
  return text === "\n" || text === "\r" ? LINE_END : BLANK;
}

function classAt(text: string, index: number): number {
  if (index >= text.length) return 0;
  const code = text.charCodeAt(index);
  return classes[code]! || (classes[code] = learnClass(code));
}

function skip(text: string, index: number, kind: number): number {
  let end = index;
  while (classAt(text, end) === kind) end++;
  return end;
}

/**
 * The end of a word. Combining marks at the start of a word are a separate piece here, unlike in
 * the real tokenizer, but such marks form few tokens.
 */
function wordEnd(text: string, start: number): number {
  if (classAt(text, start) === MARK) return skip(text, start, MARK);
  let end = skip(text, start, CAPITAL);
  for (let kind = classAt(text, end); kind === SMALL || kind === MARK; kind = classAt(text, end)) {
    end++;
  }
  return end;
}

function numberEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < start + DIGITS_PER_PIECE && classAt(text, end) === NUMBER) end++;
  return end;
}

/** The end of punctuation, including the line ends and slashes after it. */
function signsEnd(text: string, start: number): number {
  let end = skip(text, start, SIGN);
  while (classAt(text, end) === LINE_END || text.charCodeAt(end) === SLASH) end++;
  return end;
}

/**
 * The end of white space: after its last line break, otherwise before its last character, which
 * belongs to the next piece.
 */
function blanksEnd(text: string, start: number): number {
  let end = start;
  let lineEnd = start;
  for (let kind = classAt(text, end); kind >= BLANK; kind = classAt(text, end)) {
    end++;
    if (kind === LINE_END) lineEnd = end;
  }
  if (lineEnd > start) return lineEnd;
  return end < text.length && end - start > 1 ? end - 1 : end;
}

function isLetter(kind: number): boolean {
  return kind === SMALL || kind === CAPITAL || kind === MARK;
}

/** The end of the piece that starts at an index. */
export function pieceEnd(text: string, start: number): number {
  const kind = classAt(text, start);
  if (isLetter(kind)) return wordEnd(text, start);
  if (kind === NUMBER) return numberEnd(text, start);
  const next = classAt(text, start + 1);
  if (kind !== LINE_END && isLetter(next)) return wordEnd(text, start + 1);
  if (kind === SIGN || (kind === SPACE && next === SIGN)) return signsEnd(text, start + 1);
  return blanksEnd(text, start);
}
