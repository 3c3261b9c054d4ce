import type { Alias } from "./alias.ts";

/** Patterns such as `^@app/(.*)$` and `^@app(.*)`: a prefix and anything after it. */
const PREFIX = /^((?:[\w@~#-]|\\?[./])+?)\/?\(\.[*+]\??\)$/;
const EXACT = /^(?:[\w@~#-]|\\?[./])+$/;
const ROOT = /^<rootDir>\/?/;

/** The path in a Jest setting, relative to the folder of the settings. */
export function jestPath(text: string): string | undefined {
  if (!ROOT.test(text) && !text.startsWith(".")) return undefined;
  return `./${text.replace(ROOT, "")}`;
}

const plainText = (pattern: string): string => pattern.replaceAll("\\", "");

/** Reads one entry of `moduleNameMapper`, if its pattern is a plain name or prefix. */
export function jestAlias(pattern: string, text: string): Alias[] {
  const place = jestPath(text);
  const bare = pattern.replace(/^\^/, "").replace(/\$$/, "");
  if (place === undefined) return [];
  const prefix = PREFIX.exec(bare)?.[1];
  if (prefix !== undefined && /\/?\$1$/.test(place)) {
    return [{ name: plainText(prefix), place: place.replace(/\/?\$1$/, ""), isExact: false }];
  }
  if (!EXACT.test(bare) || place.includes("$")) return [];
  return [{ name: plainText(bare), place, isExact: true }];
}
