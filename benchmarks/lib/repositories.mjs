// @ts-check
// The trees on which the code graph is measured.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom } from "./measure.mjs";

/** @typedef {{ name: string, root: string }} Repository */

/** The root folder of this repository. */
export const OWN = fileURLToPath(new URL("../..", import.meta.url));

/** The given checkouts, or this repository and a generated tree. @param {string[]} repos @param {number} count */
export function repositories(repos, count) {
  if (repos.length > 0) return repos.map(namedRepository);
  return [namedRepository(OWN), generated(count)];
}

/** Creates a tree of this many files. @param {number} count @returns {Repository} */
export function generated(count) {
  return { name: `generated ${count.toLocaleString("en")} files`, root: generatedTree(count) };
}

/**
 * A repository, named by its folder and its checked-out commit.
 * @param {string} root @returns {Repository}
 */
export function namedRepository(root) {
  const { stdout, status } = spawnSync("git", ["-C", root, "log", "-1", "--format=%h"], {
    encoding: "utf8",
  });
  const commit = status === 0 ? ` at ${stdout.trim()}` : "";
  return { name: `${root === OWN ? "waybill" : basename(root)}${commit}`, root };
}

/**
 * Creates files in folders of fifty, each with a class, a function and imports of its neighbours,
 * and an index file for every folder.
 * @param {number} count
 */
function generatedTree(count) {
  const root = temporaryFolder();
  const random = seededRandom(7);
  const folders = Math.ceil(count / 51);
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(join(root, `m${folder}`));
    const names = Array.from({ length: 50 }, (_, at) => `f${at}`);
    for (const name of names)
      writeFileSync(join(root, `m${folder}/${name}.ts`), source(name, folder, random));
    const barrel = names.map((name) => `export * from "./${name}";`).join("\n");
    writeFileSync(join(root, `m${folder}/index.ts`), barrel);
  }
  return root;
}

/** @param {string} name @param {number} folder @param {() => number} random */
function source(name, folder, random) {
  const other = `f${Math.floor(random() * 50)}`;
  const far = Math.floor(random() * (folder + 1));
  const title = `${name}m${folder}`;
  return [
    `import { run${other}m${folder} } from "./${other}";`,
    `import type { Class${other}m${far} } from "../m${far}";`,
    `export class Class${title} {`,
    `  constructor(private readonly other: Class${other}m${far} | undefined) {}`,
    `  call(depth: number): number {`,
    `    return depth > 0 ? run${other}m${folder}(depth - 1) + (this.other ? 1 : 0) : 0;`,
    `  }`,
    `}`,
    `export function run${title}(depth: number): number {`,
    `  return new Class${title}(undefined).call(depth);`,
    `}`,
    "",
  ].join("\n");
}

/** A copy of a tree that may be edited. @param {string} root */
export function getCopy(root) {
  const copy = temporaryFolder();
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\/(?:node_modules|\.git|\.waybill)$/.test(path),
  });
  return copy;
}

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
