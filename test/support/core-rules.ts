import { isBuiltin } from "node:module";
import { complaints, targetOf } from "./packages.ts";
import type { Package } from "./packages.ts";

/** From the bottom up: a folder may import earlier ones only. */
const folders = [
  "envelope",
  "schema",
  "operation",
  "registry",
  "source",
  "calls",
  "cards",
  "router",
  "budget",
  "execute",
  "testing",
];

export function folderViolations(core: Package): string[] {
  const source = `${core.path}/src/`;
  return complaints(core, (file, imported) => {
    const target = targetOf(file, imported);
    if (!target?.startsWith(source)) return undefined;
    return judgeFolders(file.path.slice(source.length), target.slice(source.length));
  });
}

function judgeFolders(from: string, to: string): string | undefined {
  const own = topFolder(from);
  const other = topFolder(to);
  if (own === other) return undefined;
  const stray = [own, other].find((folder) => rank(folder) < 0);
  if (stray !== undefined) return `${stray} has no place in the layers yet`;
  if (rank(other) > rank(own)) return `${own} may only import folders below it`;
  if (to !== `${other}/index.ts`) return `${other} is imported through its index.ts only`;
  return undefined;
}

function topFolder(path: string): string {
  const end = path.indexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** Files beside the folders, such as index.ts, see every folder and are seen by none. */
function rank(folder: string): number {
  return folder === "" ? folders.length : folders.indexOf(folder);
}

/** The inspector runs core in a browser. */
export function nodeViolations(core: Package): string[] {
  return complaints(core, (_file, { specifier }) =>
    isBuiltin(specifier) ? "core runs in browsers too, so it uses no Node module" : undefined,
  );
}
