import { targetsOf } from "./exports-field.ts";
import type { OtherWay } from "./exports-field.ts";
import type { PackageFile } from "./manifests.ts";
import { candidatesOf, resolveFolder } from "./relative.ts";
import { joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

export interface WorkspaceTarget {
  readonly path: string;
  /** Whether the package names this very file, and not one that is built from it. */
  readonly isNamed: boolean;
}

const BUILT = /\.(?:d\.)?[cm]?[jt]sx?$/;
const SOURCE_FOLDERS = ["src/", "", "source/", "lib/", "app/"];
const MAX_STRIPPED = 3;

/** The source file that a package of this tree offers under `name` or `name/sub/path`. */
export function resolveInPackage(
  tree: FileTree,
  manifest: PackageFile,
  subpath: string,
  otherWay: OtherWay,
): WorkspaceTarget | undefined {
  const targets = [...targetsIn(manifest, subpath, otherWay)];
  const found = resolveTargets(tree, manifest.folder, targets);
  if (found) return found;
  const path = fallbackOf(tree, manifest, subpath);
  return path === undefined ? undefined : { path, isNamed: false };
}

/** The file that one of a package's targets names, or the one that it is built from. */
export function resolveTargets(
  tree: FileTree,
  folder: string,
  targets: readonly string[],
): WorkspaceTarget | undefined {
  for (const [place, target] of targets.entries()) {
    const path = tree.firstOf(pathsOf(folder, target));
    // Which condition holds is the importer's choice, so only the first is certain.
    if (path !== undefined) return { path, isNamed: place === 0 };
  }
  for (const target of targets) {
    const path = tree.firstOf(sourcesOf(folder, target));
    if (path !== undefined) return { path, isNamed: false };
  }
  return undefined;
}

function* targetsIn(manifest: PackageFile, subpath: string, otherWay: OtherWay): Generator<string> {
  yield* targetsOf(manifest.exports, subpath === "" ? "." : `./${subpath}`, otherWay);
  if (subpath !== "") {
    if (manifest.exports === undefined) yield subpath;
    return;
  }
  for (const field of [manifest.types, manifest.module, manifest.main]) if (field) yield field;
}

function pathsOf(folder: string, target: string): string[] {
  const path = joinPath(folder, target);
  return path === undefined ? [] : [...candidatesOf(path)];
}

/** `dist/esm/x.d.mts` is built from `src/x.ts`: by convention, as nothing names the source. */
function* sourcesOf(folder: string, target: string): Generator<string> {
  const parts = target.replace(/^\.\//, "").replace(BUILT, "").split("/");
  for (let stripped = 0; stripped <= Math.min(MAX_STRIPPED, parts.length - 1); stripped++) {
    const rest = parts.slice(stripped).join("/");
    for (const source of SOURCE_FOLDERS) {
      const path = joinPath(folder, source + rest);
      if (path !== undefined) yield* candidatesOf(path);
      if (path !== undefined) yield* candidatesOf(`${path}/index`);
    }
  }
}

function fallbackOf(tree: FileTree, manifest: PackageFile, subpath: string): string | undefined {
  for (const source of SOURCE_FOLDERS) {
    const path = joinPath(manifest.folder, source + subpath);
    if (path === undefined) continue;
    const file = subpath === "" ? undefined : tree.firstOf(candidatesOf(path));
    const found = file ?? resolveFolder(tree, path, undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
