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
const COMMENT = /\/\*.*?\*\/|\/\/[^\n]*/gs;
/** Go names with the same meaning as another name. */
const SAME: Readonly<Record<string, string>> = { byte: "uint8", rune: "int32" };

/** Whether a name may stand for another type, as an alias or a type parameter does. */
type IsOpen = (name: string) => boolean;

/** A type whose text does not identify it. It may equal any other type. */
const OPEN = "?";

/** The types in a parameter list, without names: `a, b int` is two of them. */
function typesIn(list: string, isOpen: IsOpen): string[] {
  const parts = splitList(list);
  const isNamed = parts.some((part) => NAMED.test(part) && !WORDS_OF_TYPES.test(part));
  if (!isNamed) return parts.map((part) => plainType(part, isOpen));
  const types: string[] = [];
  for (const part of parts.toReversed()) {
    const type = NAMED.test(part) ? plainType(part.replace(NAMED, ""), isOpen) : types[0];
    types.unshift(type ?? "");
  }
  return types;
}

/** Stands for any package qualifier, because files may import a package under different names. */
const QUALIFIED = "·";

/** Replaces package qualifiers and removes the names of parameters. */
function plainType(type: string, isOpen: IsOpen): string {
  const text = type
    .replaceAll(/\b\w+\.(?=\w)/g, QUALIFIED)
    .replaceAll(/\binterface\s*\{\s*\}/g, "any")
    .replaceAll(/\b[\p{L}_][\p{L}\p{N}_]*/gu, (name) =>
      isOpen(name) ? OPEN : (SAME[name] ?? name),
    );
  // The fields of a struct and the methods of an interface are not compared.
  if (/\b(?:struct|interface)\s*\{\s*[^}\s]/u.test(text)) return OPEN;
  const inner = /\bfunc\s*\(/u.exec(text);
  if (!inner) return text.replaceAll(/\s+/g, "");
  const open = inner.index + inner[0].length - 1;
  const before = text.slice(0, inner.index).replaceAll(/\s+/g, "");
  const types = signatureAt(text, open, isOpen);
  return types === undefined ? OPEN : `${before}func${goSignatureText(types)}`;
}

/** The types of the parameters and of the results. */
export type GoSignature = readonly [given: readonly string[], results: readonly string[]];

function goSignatureText([given, results]: GoSignature): string {
  return `(${given.join()})(${results.join()})`;
}

function signatureAt(text: string, open: number, isOpen: IsOpen): GoSignature | undefined {
  const close = open < 0 ? -1 : findClosing(text, open);
  if (close < 0) return undefined;
  const result = text.slice(close + 1).trim();
  const results = result.startsWith("(") ? result.slice(1, findClosing(result, 0)) : result;
  return [typesIn(text.slice(open + 1, close), isOpen), typesIn(results, isOpen)];
}

/**
 * The parameters and results of a Go method in a canonical form; undefined if the declaration's
 * text is cut.
 */
export function goSignature(detail: string, name: string, isOpen: IsOpen): GoSignature | undefined {
  if (detail.endsWith("…")) return undefined;
  const text = detail.replaceAll(COMMENT, " ");
  const start = text.search(new RegExp(String.raw`(?<![\w.])${name}\s*\(`));
  return start < 0 ? undefined : signatureAt(text, text.indexOf("(", start + name.length), isOpen);
}

/**
 * Whether two signatures may be the same. An open type matches any type. Within a package, `File`
 * and `http.File` are different types. Between packages they may be the same.
 */
export function mayBeSame(a: GoSignature, b: GoSignature, isOnePackage: boolean): boolean {
  const written = (type: string): string => (isOnePackage ? type : type.replaceAll(QUALIFIED, ""));
  return a.every((types, side) => {
    const others = b[side]!.map(written);
    const isSame = (type: string, at: number): boolean =>
      matchesType(type, others[at]!) || matchesType(others[at]!, type);
    return types.length === others.length && types.map(written).every(isSame);
  });
}

/** Whether a type is the same as a pattern, in which open parts stand for any text. */
function matchesType(pattern: string, type: string): boolean {
  if (!pattern.includes(OPEN)) return pattern === type;
  const parts = pattern.split(OPEN).map((part) => part.replaceAll(/[^\w,·]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".+")}$`).test(type);
}

const RECEIVER = /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[([^\]]*)\])?/;

/** The receiver type of a Go method. */
export function goReceiver(detail: string): string | undefined {
  return RECEIVER.exec(detail)?.[1];
}

const PARAMETERS = /^type\s+\w+\[([^\]]*)\]/;

/** The type parameters that a method has from its receiver, or a type declares. */
export function goTypeParameters(detail: string): string[] {
  const list = RECEIVER.exec(detail)?.[2] ?? PARAMETERS.exec(detail)?.[1] ?? "";
  return [...list.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name = ""]) => name);
}

const ALIAS = /^type\s+(\w+)(?:\[[^\]]*\])? =/;

/** The name of an alias such as `type A = B`. */
export function goAlias(detail: string): string | undefined {
  return ALIAS.exec(detail)?.[1];
}
