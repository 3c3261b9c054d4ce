/** The last part of a symbol's descriptor: a name, in backticks where it needs them, and its kind. */
const LAST = /(?:`((?:[^`]|``)+)`|([\w+$-]+))(?:\(\+?\d*\))?[./#:!]?$/;

/** The name that a symbol of an index ends with; empty for what has none, such as a local variable. */
export function simpleName(symbol: string): string {
  if (isLocal(symbol)) return "";
  const found = LAST.exec(symbol);
  return found?.[1]?.replaceAll("``", "`") ?? found?.[2] ?? "";
}

/** A symbol that only its own file knows. */
export function isLocal(symbol: string): boolean {
  return symbol.startsWith("local ");
}
