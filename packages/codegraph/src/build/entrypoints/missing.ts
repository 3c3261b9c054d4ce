import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GapFact } from "../modules/facts.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import { parentFolder, joinPath } from "../resolve/tree.ts";
import type { FileTree } from "../resolve/tree.ts";
import { readFileLines, namedHandlers } from "./handlers.ts";
import { manifestEntrypoints } from "./manifest.ts";
import type { ManifestEntrypoint } from "./manifest.ts";
import { packageFiles } from "./packages.ts";

const DECLARATION = /\.d\.[cm]?ts$/;

/** Files that manifests name but that do not exist, as gaps of the manifest. */
export function missingEntries(
  root: string,
  packages: readonly PackageFile[],
  paths: readonly string[],
  tree: FileTree,
): Map<string, GapFact[]> {
  const found = new Map<string, GapFact[]>();
  for (const manifest of packages) {
    const gaps = missingIn(root, manifest, paths, tree);
    if (gaps.length > 0) found.set(manifest.path, gaps);
  }
  for (const { manifest, line, text, file } of namedHandlers(root, paths, tree)) {
    if (file !== undefined) continue;
    found.set(manifest, [...(found.get(manifest) ?? []), gapAt(line, text, "handler")]);
  }
  return found;
}

function missingIn(
  root: string,
  manifest: PackageFile,
  paths: readonly string[],
  tree: FileTree,
): GapFact[] {
  const missing = manifestEntrypoints(manifest).filter(
    (entry) =>
      isJudged(root, manifest.folder, entry.path, tree) &&
      packageFiles(entry, manifest.folder, paths, tree).length === 0,
  );
  if (missing.length === 0) return [];
  const lines = readFileLines(join(root, manifest.path));
  const first = new Map(missing.map((entry): [string, ManifestEntrypoint] => [entry.path, entry]));
  return [...first.values()].map(({ path, field }) => {
    const line = lines.findIndex((text) => text.includes(JSON.stringify(path))) + 1;
    return gapAt(Math.max(1, line), path, field);
  });
}

/**
 * Whether a missing file is a mistake. It is not if it may be a build output (in a folder without
 * source files, or type declarations), or if it exists on disk.
 */
function isJudged(root: string, folder: string, entry: string, tree: FileTree): boolean {
  if (entry.includes("*") || DECLARATION.test(entry) || !/^\.?\/|\.\w+$/.test(entry)) return false;
  const path = joinPath(folder, entry);
  if (path === undefined || existsSync(join(root, path))) return false;
  return tree.hasFolder(parentFolder(path));
}

function gapAt(line: number, text: string, detail: string): GapFact {
  return { kind: "unresolved", line, text, detail };
}
