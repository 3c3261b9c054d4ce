// @ts-check
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.mjs";

const node = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@24.21.0`;

/**
 * A program that needs a newer Node than this repository. It and that Node come from npm and are no
 * dependencies: they are installed into a cache once, and found there afterwards.
 * @param {string} name of the folder in the cache
 * @param {string} suite the package, with its version
 * @param {string} entry the program's file, within node_modules
 */
export function newerProgram(name, suite, entry) {
  const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const cache = join(cacheHome, "waybill", name);
  const modules = join(cache, "node_modules");
  const program = join(modules, entry);
  if (!existsSync(program)) install(cache, suite);
  return { cache, program, runtime: join(modules, node.split("@")[0] ?? "", "bin/node") };
}

/**
 * @param {string} cache
 * @param {string} suite
 */
function install(cache, suite) {
  console.log(`Installing ${suite} and ${node} into ${cache}.`);
  mkdirSync(cache, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--engine-strict=false"];
  const code = run("npm", ["install", "--prefix", cache, ...options, suite, node]);
  if (code !== 0) throw new Error(`npm install ended with exit code ${code}`);
}
