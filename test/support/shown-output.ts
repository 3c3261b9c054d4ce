/**
 * In the output on a page, this stands for values that differ between runs, such as ids and times.
 */
const ANYTHING = "<…>";

/** The form that is compared: the value of JSON, or the lines of other text. */
export function readOutput(text: string, language: string | undefined): unknown {
  return language === "json" ? JSON.parse(text) : text.trim().split("\n");
}

function fits(text: string, shown: string): boolean {
  const [first = "", ...others] = shown.split(ANYTHING);
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = isLast ? text.length - piece.length : text.indexOf(piece, at);
    if (found < at || !text.startsWith(piece, found)) return false;
    at = found + piece.length;
  }
  return at === text.length;
}

/** The printed output, with the placeholders of the shown output where they match. */
export function withPlaceholders(printed: unknown, shown: unknown): unknown {
  if (typeof shown === "string") {
    const text = typeof printed === "string" ? printed : JSON.stringify(printed);
    return shown.includes(ANYTHING) && fits(text ?? "", shown) ? shown : printed;
  }
  if (Array.isArray(printed) && Array.isArray(shown)) {
    return printed.map((value, index) => withPlaceholders(value, shown[index]));
  }
  if (!isRecord(printed) || !isRecord(shown)) return printed;
  const entries = Object.entries(printed);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withPlaceholders(value, shown[key])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
