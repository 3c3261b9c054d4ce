import type { Token } from "./tokens.ts";

/** White space and line ends of ECMA-262. RE2 knows only those of ASCII. */
const SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NOT_SPACE =
  String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
  String.raw`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const DOT = String.raw`[^\n\r\x{2028}\x{2029}]`;
const ANY = String.raw`\x{0}-\x{10ffff}`;

/** RE2 class members for escapes that match several characters. */
const SETS: Readonly<Record<string, string>> = {
  d: "0-9",
  D: String.raw`\D`,
  w: "0-9A-Za-z_",
  W: String.raw`\W`,
  s: SPACE,
  S: NOT_SPACE,
};

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, 0: 0 };

const CATEGORY = /^(?:gc=|General_Category=)?([CLMNPSZ][a-z]?)$/;
const SCRIPT = /^(?:sc=|Script=)(\w+)$/;
const LONG_CATEGORIES: Readonly<Record<string, string>> = {
  Letter: "L",
  Lowercase_Letter: "Ll",
  Uppercase_Letter: "Lu",
  Mark: "M",
  Number: "N",
  Decimal_Number: "Nd",
  Punctuation: "P",
  Symbol: "S",
  Separator: "Z",
};

/** One member of a character class: a code point, or several characters in RE2 syntax. */
type Member = number | string;

/** A pattern that RE2 cannot express. */
export class UnsupportedPattern extends Error {}

function unicodeSet(text: string): string {
  const name = text.slice(3, -1);
  const known = LONG_CATEGORIES[name] ?? CATEGORY.exec(name)?.[1] ?? SCRIPT.exec(name)?.[1];
  if (known === undefined) throw new UnsupportedPattern(`it uses ${text}`);
  return `${text.slice(0, 2)}{${known}}`;
}

function readEscape(text: string): Member {
  const letter = text[1]!;
  const set = SETS[letter];
  if (set !== undefined) return set;
  if (letter === "p" || letter === "P") return unicodeSet(text);
  if (letter === "c") return text.codePointAt(2)! % 32;
  if (letter === "x") return Number.parseInt(text.slice(2), 16);
  if (letter !== "u") return CONTROLS[letter] ?? letter.codePointAt(0)!;
  const [high = 0, low] = (text.match(/[0-9a-fA-F]+/g) ?? []).map((hex) =>
    Number.parseInt(hex, 16),
  );
  return low === undefined ? high : String.fromCharCode(high, low).codePointAt(0)!;
}

function readMember(text: string): Member {
  return text.length > 1 && text.startsWith("\\") ? readEscape(text) : text.codePointAt(0)!;
}

function writtenMember(member: Member): string {
  return typeof member === "string" ? member : String.raw`\x{${member.toString(16)}}`;
}

const MEMBER =
  /\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)|./gsu;

function translateClass(text: string): string {
  const isNegated = text.startsWith("[^");
  const members = text.slice(isNegated ? 2 : 1, -1).match(MEMBER) ?? [];
  if (members.length === 0) return isNegated ? `[${ANY}]` : `[^${ANY}]`;
  let inner = "";
  for (let at = 0; at < members.length; at++) {
    inner += writtenMember(readMember(members[at]!));
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    if (!isRange) continue;
    inner += `-${writtenMember(readMember(members[at + 2]!))}`;
    at += 2;
  }
  return isNegated ? `[^${inner}]` : `[${inner}]`;
}

function translateCharacters(text: string): string {
  if (text === ".") return DOT;
  if (text.length > 1 && text.startsWith("[")) return translateClass(text);
  const member = readMember(text);
  return typeof member === "string" ? `[${member}]` : writtenMember(member);
}

function translateToken(token: Token): string {
  if (token.is === "characters") return translateCharacters(token.text);
  if (token.is !== "open") return token.text;
  if (token.group !== "group") throw new UnsupportedPattern("it uses lookahead or lookbehind");
  return "(?:";
}

/** Writes the expression in RE2 syntax. Throws an UnsupportedPattern if that is not possible. */
export function translate(tokens: readonly Token[]): string {
  const other = tokens.find(({ is }) => is === "other");
  if (other !== undefined) throw new UnsupportedPattern(`it uses ${other.text}`);
  return tokens.map(translateToken).join("");
}
