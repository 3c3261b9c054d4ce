/** Keys that would be ambiguous between dots are written as JSON strings. */
const NEEDS_QUOTES = /^$|^\*$|^"|\./u;
const QUOTED_OR_PLAIN = /"(?:[^"\\]|\\.)*"(?=\.|$)|[^.]*/uy;

function unquote(part: string): string {
  if (part.length < 2 || !part.startsWith('"') || !part.endsWith('"')) return part;
  try {
    return String(JSON.parse(part));
  } catch {
    return part;
  }
}

/** The keys of a path such as `items.*.title` or `labels."needs.review".color`. */
export function parsePath(path: string): string[] {
  if (path === "") return [];
  if (!path.includes('"')) return path.split(".");
  const keys: string[] = [];
  for (let at = 0; at <= path.length; at++) {
    QUOTED_OR_PLAIN.lastIndex = at;
    const [part = ""] = QUOTED_OR_PLAIN.exec(path) ?? [];
    keys.push(unquote(part));
    at += part.length;
  }
  return keys;
}

export function formatPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key) => (NEEDS_QUOTES.test(String(key)) ? JSON.stringify(key) : String(key)))
    .join(".");
}

/** Joins two paths. */
export function joinPath(parent: string, child: string): string {
  return parent === "" || child === "" ? parent + child : `${parent}.${child}`;
}

/** Whether a path matches a pattern. The pattern may name a list with or without `*`. */
export function matchesPath(
  keys: readonly (string | number)[],
  pattern: readonly string[],
): boolean {
  const [key, ...rest] = keys;
  const [wanted, ...later] = pattern;
  if (key === undefined) return wanted === undefined;
  if (wanted !== undefined && (wanted === "*" || wanted === String(key))) {
    if (matchesPath(rest, later)) return true;
  }
  return typeof key === "number" && matchesPath(rest, pattern);
}
