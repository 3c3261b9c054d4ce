// @ts-check
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledLibraries } from "./licences.mjs";
import { capture, mapLimited, root } from "./run.mjs";

// Published packages are smaller than those in the clone: no source, no source maps, and only the
// types that an entry uses. So every package is first copied to a folder, and packed from there.
// "npm run pack -- <folder>" writes the tarballs to that folder (default:
// node_modules/.cache/waybill/tarballs).

const cache = join(root, "node_modules/.cache/waybill");
const neverPublished = /\.map$|\.tsbuildinfo$|\.test(?:-d)?\.|(?:^|\/)(?:fixtures|__snapshots__)\//;

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string[]} files
 * @property {string[] | boolean} [sideEffects]
 * @property {Record<string, Record<string, string>>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/** @typedef {{ name: string, folder: string }} Staged */

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = resolve(process.argv[2] ?? join(cache, "tarballs"));
  for (const file of await packAll(target)) console.log(file);
}

/** @param {string} target @returns {Promise<string[]>} the tarballs */
export async function packAll(target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return mapLimited(stageAll(), ({ folder }) => packFolder(folder, target), 2);
}

/** @param {string} folder @param {string} target */
export async function packFolder(folder, target) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", target];
  const { ok, stdout, output } = await capture("npm", args, { cwd: folder, timeout: 300_000 });
  if (!ok) throw new Error(`npm pack in ${folder}:\n${output}`);
  const [packed] = /** @type {{ filename: string }[]} */ (JSON.parse(stdout));
  if (packed === undefined) throw new Error(`npm pack in ${folder} wrote nothing`);
  return join(target, packed.filename);
}

/** Copies all public packages as they will be published, and returns their folders. */
export function stageAll() {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return folders.flatMap((folder) => {
    const manifest = readManifest(folder);
    return manifest.private === true ? [] : [stage(folder, manifest)];
  });
}

/** @param {string} folder @returns {Manifest} */
function readManifest(folder) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

/** @param {string} folder @param {Manifest} manifest @returns {Staged} */
function stage(folder, manifest) {
  const target = join(cache, "packages", manifest.name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const kept = manifest.files.filter((name) => name !== "src" && !name.startsWith("!"));
  for (const name of kept) copyPublished(folder, target, name);
  removeUnreachableTypes(target, manifest);
  cpSync(join(folder, "README.md"), join(target, "README.md"));
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
  const text = JSON.stringify(publishedManifest(manifest, target), null, 2);
  writeFileSync(join(target, "package.json"), `${text}\n`);
  return { name: manifest.name, folder: target };
}

/** @param {string} from @param {string} to @param {string} name */
function copyPublished(from, to, name) {
  const source = join(from, name);
  /** @param {string} path */
  const filter = (path) => !neverPublished.test(path.slice(from.length).replaceAll("\\", "/"));
  cpSync(source, join(to, name), { recursive: true, filter });
  for (const file of packedFiles(to)) {
    if (!/\.(?:js|cjs|d\.ts)$/.test(file)) continue;
    const path = join(to, file);
    const text = readFileSync(path, "utf8");
    const without = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n");
    if (without !== text) writeFileSync(path, without);
  }
}

/** @param {string} folder */
function packedFiles(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => {
    return join(parentPath, name)
      .slice(folder.length + 1)
      .replaceAll("\\", "/");
  });
}

/** @param {string} folder @param {Manifest} manifest */
function removeUnreachableTypes(folder, { exports = {} }) {
  const present = new Set(packedFiles(folder).filter((file) => file.endsWith(".d.ts")));
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  const queue = entries.map((path) => posix.normalize(path));
  const reached = new Set();
  for (const file of queue) {
    if (reached.has(file) || !present.has(file)) continue;
    reached.add(file);
    queue.push(...importedTypes(folder, file));
  }
  for (const file of present) if (!reached.has(file)) rmSync(join(folder, file));
}

/** @param {string} folder @param {string} file */
function importedTypes(folder, file) {
  const text = readFileSync(join(folder, file), "utf8");
  const imports = text.matchAll(/(?:from |import\()"(\.[^"]+)\.(?:js|ts)"/g);
  return [...imports].map(([, path]) => posix.join(posix.dirname(file), `${path}.d.ts`));
}

/** @param {Manifest} manifest @param {string} folder */
function publishedManifest({ files: _files, devDependencies: _dev, ...manifest }, folder) {
  /** @type {Record<string, Record<string, string>>} */
  const exports = {};
  for (const [name, { "@waybill/source": _, ...rest }] of Object.entries(manifest.exports ?? {})) {
    exports[name] = rest;
  }
  const { sideEffects, dependencies = {} } = manifest;
  return withLibraries({
    ...manifest,
    ...(manifest.exports && { exports }),
    ...(Array.isArray(sideEffects) && {
      sideEffects: sideEffects.filter((path) => !path.startsWith("./src/")),
    }),
    dependencies: neededDependencies(dependencies, folder),
  });
}

/**
 * The command has the code of other packages in it and so requires their libraries itself. Without
 * an entry for each, it would find them only where npm happens to put them.
 * @param {Omit<Manifest, "files">} manifest
 */
function withLibraries(manifest) {
  if (manifest.name !== "waybill") return manifest;
  const names = /** @type {string[]} */ (
    JSON.parse(readFileSync(join(cache, "command-libraries.json"), "utf8"))
  );
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const installed = folders
    .map(readManifest)
    .filter(({ private: isPrivate }) => isPrivate !== true);
  const own = { ...manifest.dependencies };
  const optional = { ...manifest.optionalDependencies };
  for (const name of names.filter((each) => manifest.peerDependencies?.[each] === undefined)) {
    const needed = installed.map(({ dependencies }) => dependencies?.[name]).find(Boolean);
    const wanted = installed.map((one) => one.optionalDependencies?.[name]).find(Boolean);
    if (needed !== undefined) own[name] = needed;
    else if (wanted !== undefined) optional[name] = wanted;
    else throw new Error(`The command requires ${name}, which no package installs`);
  }
  return { ...manifest, dependencies: own, optionalDependencies: optional };
}

/**
 * The dependencies without bundled libraries, except those that a file still imports, for example
 * for types.
 * @param {Record<string, string>} dependencies @param {string} folder
 */
function neededDependencies(dependencies, folder) {
  const code = packedFiles(folder).filter((file) => /\.(?:js|cjs|d\.ts)$/.test(file));
  const text = code.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const inside = bundledLibraries().filter(({ name, isCopied }) => {
    const isImported = ["from", "import(", "require("].some((word) =>
      [`${word} "${name}`, `${word}"${name}`].some((start) => text.includes(start)),
    );
    return isCopied || !isImported;
  });
  const names = new Set(inside.map(({ name }) => name));
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !names.has(name)));
}
