import { findAnchors } from "./anchors.ts";
import { REDACTED } from "./secret-shapes.ts";
import { comparable, secretForms } from "./secret-forms.ts";
import type { SecretForm } from "./secret-forms.ts";
import { escapeTable, unescapeOnce } from "./unescape.ts";
import type { EscapeTable, Unescaped } from "./unescape.ts";
import { wordFinder } from "./word-finder.ts";
import type { WordFinder } from "./word-finder.ts";

/** Shorter values also occur inside ordinary words, so they are not searched for. */
export const MIN_SECRET_LENGTH = 8;

/** How many levels of escapes are decoded, such as JSON in JSON in a URL. */
const MAX_LEVELS = 4;
/**
 * In longer strings, the usual escapes are only decoded all together, not also one kind at a
 * time.
 */
const MAX_THOROUGH = 1_000_000;
/** Matches two escapes in a row, because then every character of the value may be escaped. */
const ALL_ESCAPED =
  /[%\\&=](?:[0-9a-fA-F]{2}[%=]|[ux][0-9a-fA-F]{2,4}\\|#[xX]?[0-9a-fA-F]{1,7};&)/u;
const ANY_ESCAPE = /[%\\&\n=\uFF01-\uFF5E]/u;
/** Matches the start of any escape that is not part of a hex dump. */
const ESCAPE_START = /[%\\&\r\n=]/u;
const HEX = escapeTable("hex", "lines", "json");
const USUAL = escapeTable("url", "json", "html", "lines");
const EACH_USUAL = [
  escapeTable("url"),
  escapeTable("json"),
  escapeTable("html"),
  escapeTable("lines"),
];
const QUOTED_ALONE = escapeTable("quoted");
const QUOTED_IN_JSON = escapeTable("quoted", "json");

/** Matches a hex dump of at least eight bytes. */
const HEX_DUMP =
  /(?:[0-9a-f]{2}[ :,-] {0,2}(?:0x)?){7}[0-9a-f]{2}|(?:[0-9a-f]{4} ){3}[0-9a-f]{4}/iu;
/** Matches quoted-printable: its escapes, and its continued lines. */
const QUOTED = /=(?:[0-9a-f]{2}|[ \t]{0,80}(?:\\r|\r)?(?:\\n|\n))/iu;

/** The kinds of escapes that are decoded together, and for how many levels. */
interface Pass {
  readonly escapes: EscapeTable;
  readonly levels: number;
}

/** Decodes rare escapes only if the text seems to contain them. */
function passesFor(text: string): Pass[] {
  const isLong = text.length > MAX_THOROUGH;
  const hex = HEX_DUMP.test(text) ? [HEX] : [];
  if (!ESCAPE_START.test(text)) return hex.map((escapes) => ({ escapes, levels: MAX_LEVELS }));
  // Also decodes each kind alone, because a secret may contain text that looks like an escape of
  // another kind.
  const usual = isLong ? [USUAL] : [USUAL, ...EACH_USUAL];
  const quoted = isLong ? [QUOTED_ALONE] : [QUOTED_ALONE, QUOTED_IN_JSON];
  const rare = [...(QUOTED.test(text) ? quoted : []), ...hex];
  return [
    ...usual.map((escapes) => ({ escapes, levels: MAX_LEVELS })),
    ...rare.map((escapes) => ({ escapes, levels: isLong ? 1 : MAX_LEVELS })),
  ];
}

type Range = readonly [start: number, end: number];

const BASE64 = /[\w+/-]/u;

/** Extends a base64 match by its padding and the neighbouring characters. */
function widened(text: string, [start, end]: Range): Range {
  const from = start > 0 && BASE64.test(text[start - 1]!) ? start - 1 : start;
  let to = end < text.length && BASE64.test(text[end]!) ? end + 1 : end;
  while (to < end + 3 && text[to] === "=") to += 1;
  return [from, to];
}

function readRanges(text: string, forms: readonly SecretForm[]): Range[] {
  const ranges: Range[] = [];
  const folded = comparable(text);
  for (const { text: form, isAnyCase, kind } of forms) {
    const where = isAnyCase ? folded : text;
    for (let at = where.indexOf(form); at >= 0; at = where.indexOf(form, at + form.length)) {
      const range: Range = [at, at + form.length];
      ranges.push(kind === "base64" ? widened(text, range) : range);
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

/** Removes secrets from a string, in any encoding. */
export type Hide = (text: string) => string;

/** Finds secrets in strings. */
class SecretFinder {
  readonly #forms: readonly SecretForm[];
  /**
   * Forms without a run of letters or digits are searched for directly, because they have no
   * short string to look for first.
   */
  readonly #bare: readonly SecretForm[];
  readonly #hasAnchor: WordFinder;

  constructor(secrets: readonly string[]) {
    this.#forms = secrets.flatMap(secretForms);
    this.#bare = this.#forms.filter((form) => findAnchors(form).length === 0);
    this.#hasAnchor = wordFinder([...new Set(this.#forms.flatMap(findAnchors))]);
  }

  /** The positions of all secrets, in any form and at any level of escapes. */
  rangesIn(original: string): Range[] {
    if (!this.#mayHold(original)) return [];
    return passesFor(original).reduce(
      (ranges, pass) => ranges.concat(this.#rangesWithout(pass, original)),
      this.#rangesAsIs(original),
    );
  }

  /** The positions of secrets in the text after decoding it once, twice and so on. */
  #rangesWithout({ escapes, levels }: Pass, original: string): Range[] {
    const found: Range[] = [];
    let text = original;
    let originOf: Unescaped["originOf"] = inPlace;
    for (let level = 0; level < levels; level++) {
      const unescaped = unescapeOnce(text, escapes);
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
    return this.#hasAnchor(text) ? readRanges(text, this.#forms) : readRanges(text, this.#bare);
  }

  #mayHold(text: string): boolean {
    if (this.#hasAnchor(text) || ALL_ESCAPED.test(text)) return true;
    if (this.#bare.length === 0) return false;
    return ANY_ESCAPE.test(text) || readRanges(text, this.#bare).length > 0;
  }
}

/**
 * Creates a function that removes these secrets. They must have at least `MIN_SECRET_LENGTH`
 * characters.
 */
export function hider(secrets: readonly string[]): Hide {
  const finder = new SecretFinder(secrets);
  return (text) => {
    if (text.length < MIN_SECRET_LENGTH) return text;
    const ranges = finder.rangesIn(text);
    return ranges.length === 0 ? text : replaced(text, ranges);
  };
}
