// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { root, run } from "./run.mjs";

// The official conformance suite, which needs a newer Node than this repository. Both come from npm
// and are no dependencies: they are installed into a cache once, and found there afterwards.
const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const node = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@24.21.0`;
const revisions = ["2025-11-25", "2026-07-28"];
const sides = ["client", "server"];

const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const cache = join(cacheHome, "waybill", "conformance-0.2.0-alpha.12");
const modules = join(cache, "node_modules");
const program = join(modules, "@modelcontextprotocol/conformance/dist/index.js");

const [side, ...extra] = process.argv.slice(2);
if (side !== undefined && !sides.includes(side)) {
  console.error(`There is no conformance run for "${side}"; use: npm run conformance -- client`);
  process.exitCode = 2;
} else {
  install();
  const failed = [];
  for (const one of side === undefined ? sides : [side]) failed.push(...(await failuresOf(one)));
  console.log(failed.length === 0 ? "Conforms to both revisions." : `Failed: ${failed.join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function install() {
  if (existsSync(program)) return;
  console.log(`Installing ${suite} and ${node} into ${cache}.`);
  mkdirSync(cache, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--engine-strict=false"];
  const code = run("npm", ["install", "--prefix", cache, ...options, suite, node]);
  if (code !== 0) throw new Error(`npm install ended with exit code ${code}`);
}

/**
 * The revisions that a side does not conform to.
 * @param {string} one
 */
async function failuresOf(one) {
  const file = await bundle(one);
  if (one === "client") {
    const args = ["--command", `${process.execPath} ${file}`];
    return revisions.filter((revision) => !conforms(one, revision, args));
  }
  const server = await startServer(file);
  try {
    return revisions.filter((revision) => !conforms(one, revision, ["--url", server.url]));
  } finally {
    server.stop();
  }
}

/**
 * The suite starts a client for every scenario, all at once: from one file it starts quickly.
 * @param {string} one
 */
async function bundle(one) {
  const build = await rolldown({
    input: join(root, `packages/mcp/src/${one}/fixtures/conformance-${one}.ts`),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@waybill/source", "node", "import"] },
  });
  const dir = join(cache, one);
  await build.write({
    dir,
    format: "esm",
    entryFileNames: `${one}.mjs`,
    chunkFileNames: "[name].mjs",
  });
  await build.close();
  return join(dir, `${one}.mjs`);
}

/**
 * The server prints where it listens.
 * @param {string} file
 */
async function startServer(file) {
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const line = /** @type {[string]} */ (
    await once(createInterface({ input: child.stdout }), "line")
  );
  return { url: line[0], stop: () => child.kill() };
}

/**
 * @param {string} one
 * @param {string} revision
 * @param {string[]} target
 */
function conforms(one, revision, target) {
  console.log(`\n── ${one}, ${revision}`);
  const runtime = join(modules, node.split("@")[0] ?? "", "bin/node");
  const chosen = extra.length > 0 ? extra : ["--requirements", revision];
  const args = [program, one, ...target, ...chosen, "--output-dir", join(cache, "results")];
  return run(runtime, args) === 0;
}
