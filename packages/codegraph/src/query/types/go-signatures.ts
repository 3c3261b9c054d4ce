/** Splits a text at commas outside of brackets. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) depth -= 1;
    else if (letter === "," && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === "" ? parts : [...parts, last];
}

/** The position of the closing bracket; -1 if it is missing. */
function findClosing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

const NAMED = /^[\p{L}_][\p{L}\p{N}_]*\s+(?=\S)/u;
const WORDS_OF_TYPES = /^(?:func|chan|map|struct|interface)\b/;

/** The types in a parameter list, without names: `a, b int` is two of them. */
function typesIn(list: string): string[] {
  const parts = splitList(list);
  const isNamed = parts.some((part) => NAMED.test(part) && !WORDS_OF_TYPES.test(part));
  if (!isNamed) return parts.map(plainType);
  const types: string[] = [];
  for (const part of parts.toReversed()) {
    types.unshift(NAMED.test(part) ? plainType(part.replace(NAMED, "")) : (types[0] ?? ""));
  }
  return types;
}

/** Removes the package qualifier, which differs between packages. */
function plainType(type: string): string {
  return type
    .replaceAll(/\b\w+\.(?=\w)/g, "")
    .replaceAll(/\binterface\s*\{\s*\}/g, "any")
    .replaceAll(/\s+/g, "");
}

/**
 * The parameters and results of a Go method in a canonical form; undefined if the declaration's
 * text is cut.
 */
export function goSignature(detail: string, name: string): string | undefined {
  const start = detail.search(new RegExp(String.raw`(?<![\w.])${name}\s*\(`));
  const open = start < 0 ? -1 : detail.indexOf("(", start + name.length);
  const close = open < 0 ? -1 : findClosing(detail, open);
  if (close < 0 || detail.endsWith("…")) return undefined;
  const result = detail
    .slice(close + 1)
    .replace(/(?:\/\/|\/\*).*$/s, "")
    .trim();
  const given = result.startsWith("(") ? result.slice(1, findClosing(result, 0)) : result;
  return `(${typesIn(detail.slice(open + 1, close)).join()})(${typesIn(given).join()})`;
}

const RECEIVER = /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)/;

/** The receiver type of a Go method. */
export function goReceiver(detail: string): string | undefined {
  return RECEIVER.exec(detail)?.[1];
}
