import { REDACTED } from "./secret-shapes.ts";
import { secretForms } from "./secret-forms.ts";
import type { SecretForm } from "./secret-forms.ts";
import { ESCAPE_KINDS, unescapeOnce } from "./unescape.ts";
import type { EscapeKind, Unescaped } from "./unescape.ts";
import { wordFinder } from "./word-finder.ts";
import type { WordFinder } from "./word-finder.ts";

/** Shorter values are found in the middle of words, so they are not looked for. */
export const MIN_SECRET_LENGTH = 8;

/** How often a value may be escaped over again, such as JSON in JSON in a URL. */
const MAX_LEVELS = 4;
/** No encoder changes letters and digits, unless it changes every character. */
const UNCHANGED = /[A-Za-z0-9]+/gu;
const MIN_ANCHOR = 4;
const MAX_ANCHOR = 12;
/** The shortest lines that base64 is wrapped into. */
const MIN_LINE = 60;
/** In longer texts, all kinds of escapes are undone together and not also one by one. */
const MAX_THOROUGH = 1_000_000;
/** Two escapes in a row, as of a value of which every character is escaped. */
const ALL_ESCAPED = /[%\\&](?:[0-9a-fA-F]{2}%|[ux][0-9a-fA-F]{2,4}\\|#[xX]?[0-9a-fA-F]{1,7};&)/u;
const ANY_ESCAPE = /[%\\&\n]/u;

type Range = readonly [start: number, end: number];

/** Parts of a form that are as they are in any escaped text. */
function anchorsOf({ text, isBase64 }: SecretForm): string[] {
  const runs = text.match(UNCHANGED) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  if (longest.length < MIN_ANCHOR) return [];
  if (!isBase64) return [longest.slice(0, MAX_ANCHOR)];
  // Base64 is wrapped into lines: of so many parts one has no break.
  const count = 2 + Math.floor(longest.length / MIN_LINE);
  const step = Math.floor(longest.length / count);
  const size = Math.min(MAX_ANCHOR, Math.max(MIN_ANCHOR, step));
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * step, longest.length - size);
    return longest.slice(start, start + size);
  });
}

const BASE64 = /[\w+/-]/u;

/** Padding and the characters beside a match of base64 belong to it. */
function widened(text: string, [start, end]: Range): Range {
  const from = start > 0 && BASE64.test(text[start - 1]!) ? start - 1 : start;
  let to = end < text.length && BASE64.test(text[end]!) ? end + 1 : end;
  while (to < end + 3 && text[to] === "=") to += 1;
  return [from, to];
}

function rangesOf(text: string, forms: readonly SecretForm[]): Range[] {
  const ranges: Range[] = [];
  for (const { text: form, isBase64 } of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      const range: Range = [at, at + form.length];
      ranges.push(isBase64 ? widened(text, range) : range);
    }
  }
  return ranges;
}

function sorted(ranges: readonly Range[]): readonly Range[] {
  return ranges.toSorted(([first], [second]) => first - second);
}

function replaced(text: string, ranges: readonly Range[]): string {
  let clean = "";
  let end = 0;
  for (const [start, stop] of sorted(ranges)) {
    if (start >= end) clean += text.slice(end, start) + REDACTED;
    end = Math.max(end, stop);
  }
  return clean + text.slice(end);
}

const inPlace = (index: number): number => index;

/** Takes secrets out of texts, whatever form they have there. */
export type Hide = (text: string) => string;

/** Where texts hold any of some secrets. */
class SecretFinder {
  readonly #forms: readonly SecretForm[];
  /** Forms without a run of letters or digits can only be looked for themselves. */
  readonly #bare: readonly SecretForm[];
  readonly #hasAnchor: WordFinder;

  constructor(secrets: readonly string[]) {
    this.#forms = secrets.flatMap(secretForms);
    this.#bare = this.#forms.filter((form) => anchorsOf(form).length === 0);
    this.#hasAnchor = wordFinder([...new Set(this.#forms.flatMap(anchorsOf))]);
  }

  /** In any form and at any level of escapes. */
  rangesIn(original: string): Range[] {
    if (!this.#mayHold(original)) return [];
    const found = this.#rangesAsIs(original);
    // Each kind alone as well: a secret may itself hold what looks like an escape of another kind.
    const alone = original.length > MAX_THOROUGH ? [] : ESCAPE_KINDS.map((kind) => [kind]);
    return [ESCAPE_KINDS, ...alone].reduce(
      (ranges, kinds) => ranges.concat(this.#rangesWithout(kinds, original)),
      found,
    );
  }

  /** In the text with escapes undone, once and over again. */
  #rangesWithout(kinds: readonly EscapeKind[], original: string): Range[] {
    const found: Range[] = [];
    let text = original;
    let originOf: Unescaped["originOf"] = inPlace;
    for (let level = 0; level < MAX_LEVELS; level++) {
      const unescaped = unescapeOnce(text, kinds);
      if (unescaped === undefined) break;
      const outer = originOf;
      originOf = (index) => outer(unescaped.originOf(index));
      ({ text } = unescaped);
      const ranges = this.#rangesAsIs(text);
      for (const [start, end] of ranges) found.push([originOf(start), originOf(end)]);
    }
    return found;
  }

  #rangesAsIs(text: string): Range[] {
    return this.#hasAnchor(text) ? rangesOf(text, this.#forms) : rangesOf(text, this.#bare);
  }

  #mayHold(text: string): boolean {
    if (this.#hasAnchor(text) || ALL_ESCAPED.test(text)) return true;
    if (this.#bare.length === 0) return false;
    return ANY_ESCAPE.test(text) || this.#bare.some((form) => text.includes(form.text));
  }
}

/** For secrets of at least `MIN_SECRET_LENGTH` characters. */
export function hider(secrets: readonly string[]): Hide {
  const finder = new SecretFinder(secrets);
  return (text) => {
    if (text.length < MIN_SECRET_LENGTH) return text;
    const ranges = finder.rangesIn(text);
    return ranges.length === 0 ? text : replaced(text, ranges);
  };
}
