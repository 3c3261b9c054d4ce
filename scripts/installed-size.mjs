// @ts-check
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** The largest allowed size of `npm install waybill`, in megabytes. */
export const MAX_MEGABYTES = 75;

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * The size of a folder as "du" counts it: in whole blocks, because many small files take more space
 * than their bytes. Packages installed inside it and other entries can be excluded.
 * @param {string} folder
 * @param {(name: string) => boolean} [isCounted]
 * @returns {number} in megabytes
 */
export function folderMegabytes(folder, isCounted = () => true) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!isCounted(entry.name)) continue;
    if (entry.isDirectory()) bytes += folderMegabytes(path, isCounted) * 1_048_576;
    if (entry.isFile()) bytes += Math.ceil(statSync(path).size / 4096) * 4096;
  }
  return bytes / 1_048_576;
}

/**
 * Estimates the size of packages with their dependencies, from the files that are installed here.
 * @param {readonly string[]} staged folders of packages, as they will be published
 * @returns {Map<string, number>} megabytes by package, the largest first
 */
export function installedMegabytes(staged) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  const folders = new Map(staged.map((folder) => [manifestIn(folder).name, folder]));
  const queue = [...folders.keys()];
  for (const name of queue) {
    const folder = folders.get(name) ?? join(root, "node_modules", name);
    if (sizes.has(name) || !existsSync(folder)) continue;
    const { dependencies, optionalDependencies } = manifestIn(folder);
    sizes.set(
      name,
      // Skips tarballs, because the check of types leaves one in the package's folder.
      folderMegabytes(folder, (inside) => inside !== "node_modules" && !inside.endsWith(".tgz")),
    );
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  return new Map([...sizes].toSorted(([, one], [, other]) => other - one));
}

/** @param {string} folder @returns {Manifest} */
function manifestIn(folder) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}
