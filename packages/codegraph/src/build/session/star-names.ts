import { exportedNames, getStars } from "../symbols/index.ts";
import type { SymbolFile } from "./symbol-files.ts";

export type FilesByPath = ReadonlyMap<string, SymbolFile>;

/** The hashes of all names that a file exports, directly or through re-exports. */
export function namesThrough(files: FilesByPath, path: string): Set<number> {
  const names = new Set<number>();
  const pending = [path];
  const seen = new Set(pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const file = files.get(next);
    if (!file?.facts) continue;
    for (const name of exportedNames(file.facts)) names.add(name);
    const targets = targetsIn(file);
    for (const specifier of getStars(file.facts)) {
      const target = targets.get(specifier);
      if (target === undefined || seen.has(target)) continue;
      seen.add(target);
      pending.push(target);
    }
  }
  return names;
}

/** The resolved files by specifier, parsed from their text form. */
function targetsIn({ targets }: SymbolFile): Map<string, string> {
  const lines = targets.split("\n");
  const found = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    // An unresolved specifier has an empty line without a path after it.
    if (lines[at] !== "") found.set(lines[at]!, lines[++at] ?? "");
  }
  return found;
}
