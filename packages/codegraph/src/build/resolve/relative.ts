import type { PackageFile } from "./manifests.ts";
import { joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

/** The extensions that TypeScript tries for a JavaScript extension, in its order. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  js: [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  jsx: [".tsx", ".ts", ".d.ts", ".jsx", ".js"],
  mjs: [".mts", ".d.mts", ".mjs"],
  cjs: [".cts", ".d.cts", ".cjs"],
};

const ADDED =
  ".ts .tsx .d.ts .js .jsx .mts .cts .mjs .cjs .d.mts .d.cts .json .vue .svelte .astro".split(" ");

const INDEXES = ADDED.map((extension) => `/index${extension}`);

const EXTENSION = /\.(jsx?|mjs|cjs)$/;
const QUERY = /[?#].*$/;

/** The files that a path may stand for, the most likely first. */
export function getCandidates(path: string): string[] {
  const added = ADDED.map((extension) => path + extension);
  return [...getReplacements(path), path, ...added];
}

function getReplacements(path: string): string[] {
  const extension = EXTENSION.exec(path)?.[1];
  if (extension === undefined) return [];
  const stem = path.slice(0, -extension.length - 1);
  return (REPLACED[extension] ?? []).map((replaced) => stem + replaced);
}

/**
 * Finds a file. Names without extension and build outputs are tried first, because they are common.
 */
function findFile(tree: FileTree, path: string): string | undefined {
  const found = tree.firstOf(getReplacements(path));
  if (found !== undefined) return found;
  if (tree.has(path)) return path;
  for (const extension of ADDED) if (tree.has(path + extension)) return path + extension;
  return undefined;
}

function* getIndexes(folder: string): Generator<string> {
  for (const index of INDEXES) yield folder === "" ? index.slice(1) : folder + index;
}

/** Resolves `./x` by the files of the tree. */
export function resolveRelative(
  tree: FileTree,
  folder: string,
  specifier: string,
  packages: ReadonlyMap<string, PackageFile>,
): string | undefined {
  const path = joinPath(folder, specifier);
  if (path === undefined) return undefined;
  const isFolder = /(?:^|\/)\.{0,2}$/.test(specifier);
  const file = isFolder ? undefined : findFile(tree, path);
  if (file !== undefined) return file;
  const found = resolveFolder(tree, path, packages.get(path));
  if (found !== undefined || !QUERY.test(specifier)) return found;
  return resolveRelative(tree, folder, specifier.replace(QUERY, ""), packages);
}

/** Resolves a folder: to the file in its package.json, or to its index. */
export function resolveFolder(
  tree: FileTree,
  folder: string,
  manifest: PackageFile | undefined,
): string | undefined {
  for (const field of [manifest?.types, manifest?.main, manifest?.module]) {
    const path = field === undefined ? undefined : joinPath(folder, field);
    const found =
      path === undefined ? undefined : tree.firstOf([...getCandidates(path), ...getIndexes(path)]);
    if (found !== undefined) return found;
  }
  return tree.firstOf(getIndexes(folder));
}
