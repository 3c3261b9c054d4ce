import { compilePattern, escapePattern } from "../../patterns/index.ts";
import type { Pattern } from "../../patterns/index.ts";

/** One line of a .gitignore. It is matched against paths relative to the file's folder. */
export interface IgnoreRule {
  readonly pattern: Pattern;
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
}

const MAX_RULES = 10_000;

/** The rules of a .gitignore in order. The last match decides. */
export function parseIgnore(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of text.split(/\r?\n/).slice(0, MAX_RULES)) {
    const rule = parseLine(line);
    if (rule) rules.push(rule);
  }
  return rules;
}

function parseLine(line: string): IgnoreRule | undefined {
  let glob = line.replace(/(?<!\\)\s+$/, "");
  if (glob === "" || glob.startsWith("#")) return undefined;
  const isNegated = glob.startsWith("!");
  if (isNegated) glob = glob.slice(1);
  if (glob.startsWith("\\")) glob = glob.slice(1);
  const onlyFolders = glob.endsWith("/");
  if (onlyFolders) glob = glob.slice(0, -1);
  const isAnchored = glob.includes("/");
  const inside = getPattern(glob.startsWith("/") ? glob.slice(1) : glob);
  try {
    const pattern = compilePattern(isAnchored ? inside : `**/${inside}`);
    return { pattern, isNegated, onlyFolders };
  } catch {
    return undefined;
  }
}

const TOKENS = /\*+|\?|\[(?:!|\^)?\]?[^\]]*\]|\\.|[^*?[\\]+|./gs;

/** Escapes the characters that are special in our patterns but not in a .gitignore. */
function getPattern(glob: string): string {
  return (glob.match(TOKENS) ?? [])
    .map((token) => {
      if (/^(?:\*|\?$|\[.)/su.test(token)) return token;
      return escapePattern(token.length === 2 && token.startsWith("\\") ? token.slice(1) : token);
    })
    .join("");
}

/** The rules for one folder: its own, after those of its parents. */
export interface IgnoreScope {
  /** The path relative to the root, empty or ending with `/`. */
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
  readonly parent: IgnoreScope | undefined;
}

export function isIgnored(
  scope: IgnoreScope | undefined,
  path: string,
  isFolder: boolean,
): boolean {
  for (let at = scope; at; at = at.parent) {
    const local = path.slice(at.folder.length);
    for (const { pattern, isNegated, onlyFolders } of at.rules.toReversed()) {
      if ((isFolder || !onlyFolders) && pattern.matches(local)) return !isNegated;
    }
  }
  return false;
}
