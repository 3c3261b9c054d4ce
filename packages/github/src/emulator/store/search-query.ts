/** A parsed search: words, and qualifiers such as `label:"good first issue"`. */
export interface SearchQuery {
  readonly words: readonly string[];
  readonly qualifiers: readonly Qualifier[];
}

export interface Qualifier {
  readonly name: string;
  readonly value: string;
  /** Whether the qualifier is negated, as in `-label:bug`. */
  readonly isNot: boolean;
}

const PART = /(-?)([a-z-]+):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+)/gi;

export function parseSearch(text: string): SearchQuery {
  const words: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const [, minus, name, quoted, plain, phrase, word] of text.matchAll(PART)) {
    if (name === undefined) words.push((phrase ?? word ?? "").toLowerCase());
    else
      qualifiers.push({
        name: name.toLowerCase(),
        value: quoted ?? plain ?? "",
        isNot: minus === "-",
      });
  }
  return { words: words.filter((word) => word !== ""), qualifiers };
}

export function getValues({ qualifiers }: SearchQuery, name: string): string[] {
  return qualifiers.filter((one) => one.name === name && !one.isNot).map(({ value }) => value);
}

/** Reads `>=2026-01-01`, `<2026-02-01`, `2026-01-01..2026-01-31`, `*..2026-01-31` or one day. */
export function isWithin(time: string, range: string): boolean {
  const [from, to] = range.split("..");
  if (to !== undefined) {
    return (from === "*" || time >= from!) && (to === "*" || time.slice(0, to.length) <= to);
  }
  const [, sign, value = ""] = /^(>=|<=|>|<)?(.*)$/.exec(range)!;
  const cut = time.slice(0, value.length);
  if (sign === ">=") return cut >= value;
  if (sign === "<=") return cut <= value;
  if (sign === ">") return cut > value;
  return sign === "<" ? cut < value : cut === value;
}
