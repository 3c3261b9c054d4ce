/** A part of a regular expression in the syntax of JSON Schema (ECMA-262 with the flag `u`). */
export type Token =
  | { readonly is: "characters"; readonly text: string }
  | { readonly is: "start" | "end" | "boundary" | "or" | "close"; readonly text: string }
  | { readonly is: "open"; readonly text: string; readonly group: Group }
  | { readonly is: "repeat"; readonly text: string; readonly min: number; readonly max: number }
  | { readonly is: "other"; readonly text: string };

type Group = "group" | "ahead" | "not-ahead" | "behind";

const ESCAPE = [
  String.raw`u\{[0-9a-fA-F]+\}`,
  String.raw`u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`,
  String.raw`u[0-9a-fA-F]{4}`,
  String.raw`x[0-9a-fA-F]{2}`,
  String.raw`c[A-Za-z]`,
  String.raw`[pP]\{[^}]*\}`,
  String.raw`k<[^>]*>`,
  String.raw`\d+`,
  ".",
].join("|");

const TOKEN = new RegExp(
  [
    String.raw`\\(?:${ESCAPE})`,
    String.raw`\[(?:\\.|[^\]\\])*\]`,
    String.raw`\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?`,
    String.raw`[*+?]\??`,
    String.raw`\{\d+(?:,\d*)?\}\??`,
    ".",
  ].join("|"),
  "gsu",
);

const GROUPS: Readonly<Record<string, Group>> = {
  "(": "group",
  "(?:": "group",
  "(?=": "ahead",
  "(?!": "not-ahead",
  "(?<=": "behind",
  "(?<!": "behind",
};

const SIGNS: Readonly<Record<string, "start" | "end" | "boundary" | "or" | "close">> = {
  "^": "start",
  $: "end",
  "|": "or",
  ")": "close",
  "\\b": "boundary",
  "\\B": "boundary",
};

const REPEATS: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, Infinity],
  "+": [1, Infinity],
  "?": [0, 1],
};

function readRepeat(text: string): Token {
  const known = REPEATS[text[0]!];
  if (known !== undefined) return { is: "repeat", text, min: known[0], max: known[1] };
  const [, from = "", comma, to = ""] = /^\{(\d+)(,)?(\d*)\}/.exec(text) ?? [];
  const min = Number(from);
  if (comma === undefined) return { is: "repeat", text, min, max: min };
  return { is: "repeat", text, min, max: to === "" ? Infinity : Number(to) };
}

function readPatternToken(text: string): Token {
  const sign = SIGNS[text];
  if (sign !== undefined) return { is: sign, text };
  if (text.startsWith("(")) {
    const group = GROUPS[text] ?? (/^\(\?<[^>]*>$/.test(text) ? "group" : undefined);
    return group === undefined ? { is: "other", text } : { is: "open", text, group };
  }
  if (/^(?:[*+?]|\{\d)/.test(text)) return readRepeat(text);
  const isBackReference = /^\\(?:k<|[1-9])/.test(text);
  return { is: isBackReference ? "other" : "characters", text };
}

/** Parses a pattern. The platform accepts it with the flag `u`, so it is not ambiguous. */
export function tokensIn(pattern: string): Token[] {
  return (pattern.match(TOKEN) ?? []).map(readPatternToken);
}
