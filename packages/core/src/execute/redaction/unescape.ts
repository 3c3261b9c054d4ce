/** A text with one level of escapes decoded, and the original position of each character. */
export interface Unescaped {
  readonly text: string;
  /** Converts a position to the position in the original text. The end maps to the end. */
  readonly originOf: (index: number) => number;
}

/**
 * The character that an escape stands for, and the length of the escape. An escaped line break
 * stands for no character.
 */
interface Escape {
  readonly code?: number;
  readonly length: number;
}

const ENTITIES: readonly (readonly [string, number])[] = [
  ["&amp;", 0x26],
  ["&lt;", 0x3c],
  ["&gt;", 0x3e],
  ["&quot;", 0x22],
  ["&apos;", 0x27],
];
const CONTROL: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };
const ITSELF = new Set(['"', "'", "\\", "/"]);
const LINE_BREAK = /\r?\n[ \t]{0,80}/y;
const SOFT_BREAK = /=[ \t]{0,80}\r?\n/y;
const HEX_SEPARATOR = /(?<=[0-9a-f]{2})(?:[ :,-] {0,2})(?:0x)?(?=[0-9a-f]{2})/iy;
const NUMERIC_ENTITY = /&#(?:(\d{1,7})|x([0-9a-f]{1,6}));/iy;

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Reads a number of hexadecimal digits. Undefined if there are fewer. */
function hexAt(text: string, at: number, digits: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const digit = digitAt(text, index);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexEscape(text: string, at: number, prefix: number, digits: number): Escape | undefined {
  const code = hexAt(text, at + prefix, digits);
  return code === undefined ? undefined : { code, length: prefix + digits };
}

/** Decodes escapes of JSON and JavaScript. */
function backslashEscape(text: string, at: number): Escape | undefined {
  const next = text[at + 1];
  if (next === undefined) return undefined;
  if (next === "u") return hexEscape(text, at, 2, 4);
  if (next === "x") return hexEscape(text, at, 2, 2);
  const code = ITSELF.has(next) ? next.charCodeAt(0) : CONTROL[next];
  return code === undefined ? undefined : { code, length: 2 };
}

/** Decodes HTML entities. Entities above 16 bits cannot be part of a credential and are ignored. */
function entity(text: string, at: number): Escape | undefined {
  NUMERIC_ENTITY.lastIndex = at;
  const [whole, decimal, hex] = NUMERIC_ENTITY.exec(text) ?? [];
  if (whole !== undefined) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return { code: code & 0xffff, length: whole.length };
  }
  const named = ENTITIES.find(([name]) => text.startsWith(name, at));
  return named && { code: named[1], length: named[0].length };
}

/** An escape that stands for no character. */
function emptyEscape(form: RegExp, text: string, at: number): Escape | undefined {
  form.lastIndex = at;
  const [whole] = form.exec(text) ?? [];
  return whole === undefined ? undefined : { length: whole.length };
}

/** Removes the line breaks in wrapped base64. */
function lineBreak(text: string, at: number): Escape | undefined {
  return emptyEscape(LINE_BREAK, text, at);
}

/** Decodes quoted-printable, the encoding of mail. */
function quotedEscape(text: string, at: number): Escape | undefined {
  return hexEscape(text, at, 1, 2) ?? emptyEscape(SOFT_BREAK, text, at);
}

/** Removes the separators in a hex dump, such as `6a:6b`, `6a 6b` or `0x6a, 0x6b`. */
function hexSeparator(text: string, at: number): Escape | undefined {
  return emptyEscape(HEX_SEPARATOR, text, at);
}

/** Decodes a percent escape to one byte. Secrets are also searched for as UTF-8 bytes. */
function percentEscape(text: string, at: number): Escape | undefined {
  return hexEscape(text, at, 1, 2);
}

type Reader = (text: string, at: number) => Escape | undefined;

/** The kinds of escapes that can be decoded. */
type EscapeKind = "url" | "json" | "html" | "lines" | "quoted" | "hex";

/** The first characters of each escape, all of them ASCII, and the function that decodes it. */
const READERS: Readonly<Record<EscapeKind, readonly [first: string, reader: Reader]>> = {
  url: ["%", percentEscape],
  json: ["\\", backslashEscape],
  html: ["&", entity],
  lines: ["\r\n", lineBreak],
  quoted: ["=", quotedEscape],
  hex: [" :,-", hexSeparator],
};

/** The functions that decode some kinds of escapes, by the code of the first character. */
export type EscapeTable = readonly (Reader | undefined)[];

/**
 * Cached for each list of kinds, because creating the table takes longer than reading most
 * strings.
 */
export function escapeTable(...kinds: EscapeKind[]): EscapeTable {
  const readers = Array.from<Reader | undefined>({ length: 128 });
  for (const kind of kinds) {
    const [firsts, reader] = READERS[kind];
    for (const first of firsts) readers[first.charCodeAt(0)] = reader;
  }
  return readers;
}

/** The index of the last entry in `positions` that is not greater than `index`. */
function positionBefore(positions: readonly number[], index: number): number {
  let low = 0;
  let high = positions.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (positions[middle]! <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Decodes one level of escapes. Undefined for a text without escapes. */
export function unescapeOnce(original: string, readers: EscapeTable): Unescaped | undefined {
  const parts: string[] = [];
  // The positions where literal text begins, in the result and in the original: at the start and
  // after each escape.
  const starts = [0];
  const origins = [0];
  let length = 0;
  let end = 0;
  for (let at = 0; at < original.length;) {
    const escape = readers[original.charCodeAt(at)]?.(original, at);
    if (escape === undefined) {
      at += 1;
      continue;
    }
    const isNothing = escape.code === undefined;
    parts.push(original.slice(end, at), isNothing ? "" : String.fromCharCode(escape.code));
    length += at - end + (isNothing ? 0 : 1);
    at += escape.length;
    end = at;
    starts.push(length);
    origins.push(end);
  }
  if (end === 0) return undefined;
  return {
    text: parts.join("") + original.slice(end),
    originOf(index) {
      const position = positionBefore(starts, index);
      return origins[position]! + (index - starts[position]!);
    },
  };
}
