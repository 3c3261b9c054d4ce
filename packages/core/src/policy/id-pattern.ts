const MAX_PATTERNS = 1_000;
/**
 * Matches the characters of an id, and `*`. A pattern with other characters would match nothing.
 */
const PATTERN = /^[\w.*-]{1,256}$/;

/** Compiles a pattern. `*` matches any part of an id, and everything else matches itself. */
export function matchesId(pattern: string, id: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0]!;
  if (parts.length === 1) return id === pattern;
  const last = parts.at(-1)!;
  if (!id.startsWith(first) || !id.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = id.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return from <= id.length - last.length;
}

export function matchesAny(list: readonly string[] = [], id: string): boolean {
  return list.some((pattern) => matchesId(pattern, id));
}

/** Describes the error in a list of patterns such as `issue.*`. Undefined if it is valid. */
export function patterns(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_PATTERNS) return "must be a list of id patterns";
  const wrong: unknown = value.find((each) => typeof each !== "string" || !PATTERN.test(each));
  if (wrong === undefined) return undefined;
  return `has ${JSON.stringify(wrong)}, which matches no id; write a pattern such as issue.*`;
}
