/** The last part of a symbol's descriptor: a name, in backticks if necessary, and its kind. */
const LAST = /(?:`((?:[^`]|``)+)`|([\w+$-]+))(?:\(\+?\d*\))?[./#:!]?$/;

/** The last name of a symbol; empty if it has none, such as a local variable. */
export function simpleName(symbol: string): string {
  if (isLocal(symbol)) return "";
  const found = LAST.exec(symbol);
  return found?.[1]?.replaceAll("``", "`") ?? found?.[2] ?? "";
}

/** Whether a symbol is visible only in its own file. */
export function isLocal(symbol: string): boolean {
  return symbol.startsWith("local ");
}
