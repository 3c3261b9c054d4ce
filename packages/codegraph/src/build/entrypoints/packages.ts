import type { EntrypointKind } from "../../graph/index.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import type { FileTree } from "../resolve/tree.ts";
import { resolveTargets } from "../resolve/workspace.ts";
import { manifestEntrypoints } from "./manifest.ts";
import type { ManifestEntrypoint } from "./manifest.ts";

/** A file that is an entry point as a whole. */
export interface ServedFile {
  readonly kind: EntrypointKind;
  readonly name: string;
  readonly framework: string;
}

const FRAMEWORK = "package.json";
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/;
const BUILT_FOLDER = /^(?:dist|build|lib|out|esm|cjs)\//;

/** The source files that are entry points of packages, by path. */
export function packageEntrypoints(
  packages: readonly PackageFile[],
  paths: readonly string[],
  tree: FileTree,
): Map<string, ServedFile[]> {
  const served = new Map<string, ServedFile[]>();
  for (const manifest of packages) {
    for (const entry of manifestEntrypoints(manifest)) {
      for (const path of packageFiles(entry, manifest.folder, paths, tree))
        addServedFile(served, path, entry);
    }
  }
  return served;
}

function addServedFile(
  served: Map<string, ServedFile[]>,
  path: string,
  { kind, name }: ManifestEntrypoint,
): void {
  const known = served.get(path) ?? [];
  if (known.some((one) => one.kind === kind && one.name === name)) return;
  served.set(path, [...known, { kind, name, framework: FRAMEWORK }]);
}

/** The files for one entry of a package. */
export function packageFiles(
  { path }: ManifestEntrypoint,
  folder: string,
  paths: readonly string[],
  tree: FileTree,
): readonly string[] {
  if (path.includes("*")) return matching(path, folder, paths);
  const found = resolveTargets(tree, folder, { held: [path], custom: [], elsewhere: [] })?.path;
  return found === undefined ? [] : [found];
}

/** `./dist/*.js` stands for every file of that folder, or of its source folder. */
function matching(target: string, folder: string, paths: readonly string[]): string[] {
  const inside = folder === "" ? "" : `${folder}/`;
  const written = target.replace(/^\.\//, "").replace(EXTENSION, "");
  const patterns = [
    written,
    written.replace(BUILT_FOLDER, "src/"),
    written.replace(BUILT_FOLDER, ""),
  ];
  return paths.filter((path) => {
    if (!path.startsWith(inside) || !EXTENSION.test(path)) return false;
    const name = path.slice(inside.length).replace(EXTENSION, "");
    return patterns.some((pattern) => matchesPattern(pattern, name));
  });
}

function matchesPattern(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return (
    name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  );
}
