import type { Alias } from "./alias.ts";

/** `^@app/(.*)$`, `^@app(.*)` and the like: a start, and all that follows. */
const PREFIX = /^((?:[\w@~#-]|\\?[./])+?)\/?\(\.[*+]\??\)$/;
const EXACT = /^(?:[\w@~#-]|\\?[./])+$/;
const ROOT = /^<rootDir>\/?/;

/** The folder or file that a text of Jest's settings names, from the folder of the settings. */
export function jestPath(text: string): string | undefined {
  if (!ROOT.test(text) && !text.startsWith(".")) return undefined;
  return `./${text.replace(ROOT, "")}`;
}

const plainText = (pattern: string): string => pattern.replaceAll("\\", "");

/** Reads one entry of `moduleNameMapper` whose pattern is a plain name or a plain start. */
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
