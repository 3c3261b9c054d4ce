import { namesRequest, targetsOf } from "./exports-field.ts";
import type { ConditionalTargets, Importer } from "./exports-field.ts";
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
const BUILT_FOLDER = /^(?:dist|build|lib|out|esm?|cjs|umd|types|generated)(?:\/|$)/;
/** What has another ending is often made by a program that compiles no code. */
const CODE_PATH = /(?:^|\/)[^/.]+(?:\.[cm]?[jt]sx?)?$/;

/** The source file that a package of this tree offers under `name` or `name/sub/path`. */
export function resolveInPackage(
  tree: FileTree,
  manifest: PackageFile,
  subpath: string,
  importer: Importer,
): WorkspaceTarget | undefined {
  const targets = targetsIn(manifest, subpath, importer);
  const found = resolveTargets(tree, manifest.folder, targets);
  if (found) return found;
  const path = fallbackOf(tree, manifest, subpath);
  return path === undefined ? undefined : { path, isNamed: false };
}

/**
 * Whether a package of this tree has nothing under a path, now or when it is built: its exports do
 * not name the path; or it has none, is entered by a source, and nothing of the path is there.
 */
export function lacksPath(tree: FileTree, manifest: PackageFile, subpath: string): boolean {
  const { exports, isMadeToPublish, main, module, types } = manifest;
  if (isMadeToPublish || subpath === "package.json" || isFolder(tree, manifest, subpath)) {
    return false;
  }
  if (exports !== undefined) return !namesRequest(exports, `./${subpath}`);
  if (BUILT_FOLDER.test(subpath) || !CODE_PATH.test(subpath)) return false;
  return [module, main, types, "index.js"].some(
    (field) => field !== undefined && tree.firstOf(pathsOf(manifest.folder, field)) !== undefined,
  );
}

/** A folder without an index may be made into one more way to enter the package. */
function isFolder(tree: FileTree, { folder }: PackageFile, subpath: string): boolean {
  return SOURCE_FOLDERS.some((source) => {
    const path = joinPath(folder, source + subpath);
    return path !== undefined && tree.hasFolder(path);
  });
}

/** The file that one of a package's targets names, or the one that it is built from. */
export function resolveTargets(
  tree: FileTree,
  folder: string,
  { held, custom, elsewhere }: ConditionalTargets,
): WorkspaceTarget | undefined {
  const [first = ""] = held;
  const taken = first === "" ? undefined : tree.firstOf(pathsOf(folder, first));
  if (taken !== undefined) return { path: taken, isNamed: true };
  // Whether any other condition holds is the importer's choice.
  for (const targets of [[...held.slice(1), ...custom], elsewhere]) {
    const named = targets.flatMap((target) => pathsOf(folder, target));
    const sources = [...held, ...targets].flatMap((target) => [...sourcesOf(folder, target)]);
    const path = tree.firstOf([...named, ...sources]);
    if (path !== undefined) return { path, isNamed: false };
  }
  return undefined;
}

function targetsIn(manifest: PackageFile, subpath: string, importer: Importer): ConditionalTargets {
  const { exports, types, module, main } = manifest;
  const named = targetsOf(exports, subpath === "" ? "." : `./${subpath}`, importer);
  const inside = exports === undefined ? [subpath] : [];
  const fields = [types, module, main].flatMap((field) => field || []);
  return { ...named, held: [...named.held, ...(subpath === "" ? fields : inside)] };
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
