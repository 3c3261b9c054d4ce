/** A form in which a secret can appear in a text, after escapes are decoded. */
export interface SecretForm {
  /** The text of the form. It is in lower case if letter case is ignored. */
  readonly text: string;
  readonly isAnyCase: boolean;
  readonly kind: "plain" | "hex" | "base64";
}

/**
 * If removing characters leaves less than this of a secret, the rest is probably an ordinary
 * word.
 */
const MIN_PRINTABLE = 8;

/**
 * A secret of only letters that is shorter than this may be an ordinary word, which also appears
 * in other letter cases.
 */
const MIN_LETTERS = 16;
const LETTERS = /^\p{L}*$/u;

/** The difference between the code of a full-width character and that of its ASCII character. */
export const WIDTH = 0xfee0;
const FULL_WIDTH = /[\uFF01-\uFF5E]/u;
/** Each match is short enough that its characters can be passed as arguments to a function. */
const FULL_WIDTHS = /[\uFF01-\uFF5E]{1,1000}/gu;

const utf8 = new TextEncoder();

/** Converts each byte to one character. */
function binaryString(text: string): string {
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** UTF-16 in both byte orders, with one character per byte. */
function utf16Bytes(text: string): string[] {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const pairs = units.map((unit) => [unit & 0xff, unit >> 8] as const);
  return [
    pairs.map(([low, high]) => String.fromCharCode(low, high)).join(""),
    pairs.map(([low, high]) => String.fromCharCode(high, low)).join(""),
  ];
}

function readHex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * The base64 forms of any text that contains these bytes. They depend on the number of bytes
 * before, modulo three. Only the characters that depend on these bytes alone are returned.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const standard = btoa("\0".repeat(before) + bytes).slice(first, end);
    return [standard, standard.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function plainForms(secret: string, bytes: string): string[] {
  const spaced = secret.includes(" ") ? [secret.replaceAll(" ", "+")] : [];
  const joined = /[\r\n]/u.test(secret) ? [secret.replaceAll(/\r?\n[ \t]*/gu, "")] : [];
  // A server that copies the secret into a header may drop characters that headers do not allow.
  const ascii = secret.replaceAll(/[^\x20-\x7E]/gu, "");
  const printable = ascii.length >= MIN_PRINTABLE ? [ascii] : [];
  return [secret, bytes, ...printable, ...spaced, ...joined];
}

/** Lower case with the same length. If the length would change, only ASCII is changed. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return text.replaceAll(/[A-Z]+/gu, (capitals) => capitals.toLowerCase());
}

/** Lower-case ASCII for upper-case and full-width letters. Every character keeps its index. */
export function comparable(text: string): string {
  const small = inSmallLetters(text);
  if (!FULL_WIDTH.test(small)) return small;
  return small.replaceAll(FULL_WIDTHS, (some) =>
    String.fromCharCode(...Array.from(some, (each) => each.charCodeAt(0) - WIDTH)),
  );
}

function isOrdinaryWord(text: string): boolean {
  return text.length < MIN_LETTERS && LETTERS.test(text);
}

function inAnyCase(text: string, kind: SecretForm["kind"]): SecretForm {
  return { text: comparable(text), isAnyCase: true, kind };
}

/** Every form in which a server may send a secret back. */
export function secretForms(secret: string): SecretForm[] {
  const bytes = binaryString(secret);
  const plain = new Set(plainForms(secret, bytes));
  const base64 = new Set([bytes, ...utf16Bytes(secret)].flatMap(base64Forms));
  return [
    ...Array.from(plain, (text): SecretForm =>
      isOrdinaryWord(text) ? { text, isAnyCase: false, kind: "plain" } : inAnyCase(text, "plain"),
    ),
    inAnyCase(readHex(bytes), "hex"),
    ...Array.from(base64, (text) => inAnyCase(text, "base64")),
  ];
}
