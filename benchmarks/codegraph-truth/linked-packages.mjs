// @ts-check
// Makes the packages of a tree available by name below every node_modules, as if they were
// installed.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PLACE = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)(\/.*)?$/;

/** @param {string} root @param {readonly string[]} paths */
export function linkedPackages(root, paths) {
  /** @type {Map<string, string>} */
  const folders = new Map();
  const manifests = new Set();
  for (const path of paths) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      manifests.add(folder === "." ? "" : folder);
      if (folder === "." || folder === "/") break;
    }
  }
  for (const folder of manifests) {
    const name = nameIn(join(root, folder, "package.json"));
    if (name !== undefined && !folders.has(name)) folders.set(name, join(root, folder));
  }
  const rootModules = join(root, "node_modules");
  return {
    /** @param {string} path */
    real(path) {
      const [, place, name = "", rest = ""] = PLACE.exec(path) ?? [];
      const folder = place === `${rootModules}/` ? folders.get(name) : undefined;
      return folder === undefined ? path : folder + rest;
    },
    /** @param {string} path */
    isFolder(path) {
      if (path === rootModules) return true;
      return (
        path.startsWith(`${rootModules}/@`) && !path.slice(rootModules.length + 1).includes("/")
      );
    },
  };
}

/** @param {string} file @returns {string | undefined} */
function nameIn(file) {
  try {
    /** @type {unknown} */
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const name = /** @type {{ name?: unknown }} */ (manifest).name;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
