// @ts-check
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root, run } from "./run.mjs";

// The official conformance suite, which needs a newer Node than this repository. Both come from npm
// and are no dependencies: they are installed into a cache once, and found there afterwards.
const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const node = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@24.21.0`;
const revisions = ["2025-11-25", "2026-07-28"];

const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const cache = join(cacheHome, "waybill", "conformance-0.2.0-alpha.12");
const modules = join(cache, "node_modules");
const program = join(modules, "@modelcontextprotocol/conformance/dist/index.js");

const [side = "client", ...extra] = process.argv.slice(2);
if (side !== "client") {
  console.error(`There is no conformance run for "${side}"; use: npm run conformance -- client`);
  process.exitCode = 2;
} else {
  install();
  const client = await bundleClient();
  const failed = revisions.filter((revision) => !conforms(revision, client));
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

/** The suite starts a client for every scenario, all at once: from one file it starts quickly. */
async function bundleClient() {
  const build = await rolldown({
    input: join(root, "packages/mcp/src/client/fixtures/conformance-client.ts"),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@waybill/source", "node", "import"] },
  });
  const dir = join(cache, "client");
  await build.write({
    dir,
    format: "esm",
    entryFileNames: "client.mjs",
    chunkFileNames: "[name].mjs",
  });
  await build.close();
  return join(dir, "client.mjs");
}

/**
 * @param {string} revision
 * @param {string} client
 */
function conforms(revision, client) {
  console.log(`\n── ${revision}`);
  const runtime = join(modules, node.split("@")[0] ?? "", "bin/node");
  const args = [program, side, "--command", `${process.execPath} ${client}`];
  const chosen = extra.length > 0 ? extra : ["--requirements", revision];
  return run(runtime, [...args, ...chosen, "--output-dir", join(cache, "results")]) === 0;
}
